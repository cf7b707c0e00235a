/**
 * Broker: what a plugin is asked and what it can ask, with the closed form of every line between it and the server.
 * Never answers a call; the names alone are in the contract's first door.
 */
export { type BrokerParams, type BrokerResult, brokerLimits, brokerMethods } from "./broker-methods.ts";
export {
  type ActionAnswer,
  type ActionRequest,
  actionAnswer,
  actionId,
  actionRequest,
  type BrokerAnswer,
  type BrokerCall,
  brokerAnswer,
  brokerCall,
  brokerErrorNumber,
  protocolJsonLimits,
} from "./broker-protocol.ts";
export {
  type PlanNode,
  planNode,
  planNodes,
  type PlanQuestion,
  planQuestion,
  planQuestionLimits,
} from "./plan-question.ts";
export {
  actionLimits,
  type DescribeResult,
  describeResult,
  type HealthResult,
  healthResult,
  healthStatuses,
  type MapLine,
  mapLine,
  mapLineStates,
} from "./plugin-actions.ts";
