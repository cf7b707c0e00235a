/**
 * The door to an agent that runs against whatever address it is given, enrolled with a server whose key only the tests have: what
 * stands at the address cannot have it.
 */
export { honestChallenge } from "../../../apps/agent/test/fake-control-server.ts";
export { firstMs, startAgentAt } from "../../../apps/agent/test/running-agent.ts";
