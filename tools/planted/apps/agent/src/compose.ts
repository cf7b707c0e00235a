import { firewall } from "./operations/firewall/index.ts";
import { runTask } from "./tasks/run-task.ts";
export const compose = (): unknown => [firewall, runTask];
