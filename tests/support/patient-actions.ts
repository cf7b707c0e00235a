import { actionLimits } from "@gatehouse/contract/broker";
import { stopMs } from "./stopped.ts";

/**
 * Whoever imports this gives a plugin's actions all the time there is. Plugins run with the lowest priority, so on a busy
 * machine a good one reaches its deadline too; what happens at a deadline is tested where one is set for it.
 */
Object.assign(actionLimits.deadlineMs, { describe: stopMs, health: stopMs, plan: stopMs });
