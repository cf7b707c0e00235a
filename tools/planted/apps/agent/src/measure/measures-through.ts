import { firewall } from "../operations/firewall/index.ts"; // breaks: only-tasks-run-operations, agent-network-part-applies-nothing
export const measured = firewall;
