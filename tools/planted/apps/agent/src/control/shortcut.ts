import { firewall } from "../operations/firewall/index.ts"; // breaks: only-tasks-run-operations
export const shortcut = firewall;
