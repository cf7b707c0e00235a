/**
 * Contract: the names, tables and small forms that every program shares; browser-safe. It does no input or output.
 * Never imports routes, settings, the broker or records, which have doors of their own: one name must not cost all their schemas.
 */
export { parseAddress } from "./address-range.ts";
export {
  type AlertEnd,
  alertEnds,
  type AlertKind,
  alertKinds,
  type AlertNodes,
  alertNodes,
  type AlertRuleSpec,
  type AlertWatch,
  alertWatch,
  builtInAlertRules,
  type MetricWatch,
} from "./alerts.ts";
export { alertLimits } from "./alert-limits.ts";
export { sayAlertWatch, sayMetricValue } from "./alert-words.ts";
export { approvalFaults } from "./approval-faults.ts";
export { type AuditCheckState, auditCheckStates } from "./audit-check-states.ts";
export {
  type AuditAction,
  type AuditDetail,
  type AuditEntry,
  type AuditFacts,
  type AuditNoun,
  auditActionNames,
  auditActions,
} from "./audit-actions.ts";
export { type BrokerFaultCode, brokerFaults } from "./broker-faults.ts";
export {
  type Capability,
  type CapabilityRisk,
  capabilities,
  capabilityNames,
  capabilityRisks,
  isCapability,
  isHostRisk,
} from "./capabilities.ts";
export {
  type ComponentKey,
  componentKeys,
  type ComponentSpec,
  isComponentKey,
  type Surface,
  surfaces,
} from "./component-keys.ts";
export { type FaultCode, fault, faults, isFault } from "./faults.ts";
export { hostLogLimits, isLogSource, type LogLevel, logLevels, logSourceForms } from "./host-logs.ts";
export { partPublicKey, partState, partSubject } from "./host-parts.ts";
export {
  type DrawnMetric,
  drawnMetrics,
  fitMetricValues,
  metricLimits,
  type MetricName,
  metricNames,
  type MetricPrecision,
  metrics,
  type MetricValues,
} from "./metrics.ts";
export { nearestName } from "./nearest-name.ts";
export { nodeId } from "./node-id.ts";
export {
  type AgentArchitecture,
  agentArchitectures,
  type CeilingLevel,
  ceilingLevels,
  nodeName,
  nodeTag,
  nodeTags,
} from "./node-names.ts";
export {
  mostOfOverviewKind,
  type OverviewArea,
  type OverviewKind,
  type OverviewKindSpec,
  overviewAreas,
  overviewKindNames,
  overviewKinds,
  sayOverviewCount,
} from "./overview-kinds.ts";
export { judgePassword, normalisePassword, passwordLimits } from "./password-rules.ts";
export { planFaults } from "./plan-faults.ts";
export { type LintSeverity, lintSeverities } from "./plan-findings.ts";
export { planSize } from "./plan-size.ts";
export {
  type HostEnd,
  hostEnds,
  isPlanEnd,
  mayPlanMove,
  planMoves,
  type PlanState,
  planStates,
  taskMoves,
  taskStanding,
  type TaskState,
  taskStates,
  type TaskStepName,
  taskSteps,
} from "./plan-states.ts";
export {
  type PlanHaltRule,
  type WantedRun,
  wantedRun,
  type WantedWaves,
  type WaveKind,
  waveKinds,
  type WaveState,
  waveStates,
} from "./plan-waves.ts";
export {
  type ActionName,
  actionNames,
  type BrokerMethod,
  brokerMethodNames,
  isActionName,
  isBrokerMethod,
  keyId,
  keyIdPattern,
  type LifecycleState,
  lifecycleStates,
  pluginId,
  pluginIdPattern,
  type RunnerName,
  runnerNames,
  sha256Hex,
  sha256Pattern,
} from "./plugin-names.ts";
export {
  type HandPlace,
  handPlace,
  type Placeless,
  placeless,
  placeSources,
} from "./places.ts";
export { isScope, type Role, roles, type Scope, scopeNames, scopes, scopesOfRole } from "./scopes.ts";
export { joinServiceWords, type ServiceWords, splitServiceWords } from "./service-words.ts";
export { taskFaults } from "./task-faults.ts";
export { scopesOfTokenClass, type TokenClass, tokenClasses } from "./token-classes.ts";
export { findTokenId, joinToken, tokenAlphabets, tokenForm, tokenLengths } from "./token-format.ts";
export { parseUsername, usernameForm } from "./username.ts";
export { mostToldBytes, mostToldLength, toldLines, type ToldLines, toldOfSection } from "./told-lines.ts";
export { visibleText } from "./visible-text.ts";
export { waveLimits } from "./wave-limits.ts";
export {
  isWebhookEvent,
  type WebhookEvent,
  webhookEventNames,
  webhookEvents,
  webhookLimits,
  webhookTestEvent,
} from "./webhooks.ts";
export { type WitnessCode, witnessCodes, type WitnessState, witnessStates } from "./witness-words.ts";
