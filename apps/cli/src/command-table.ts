import type { Command } from "./command.ts";
import { auditVerify } from "./commands/audit-verify.ts";
import { stateRecover } from "./commands/state-recover.ts";
import { version } from "./commands/version.ts";

/** Every command there is, in the order in which the help lists them. */
export const commands: readonly Command[] = [auditVerify, stateRecover, version];
