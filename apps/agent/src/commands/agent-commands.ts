import type { AgentCommand } from "./agent-command.ts";
import { bootCommand } from "./boot.ts";
import { ceilingSet } from "./ceiling-set.ts";
import { ceilingShow } from "./ceiling-show.ts";
import { clockReset } from "./clock-reset.ts";
import { deadmanCheck, deadmanRun } from "./deadman.ts";
import { doctorCommand } from "./doctor.ts";
import { enrolCommand } from "./enrol.ts";
import { enrolExchangeCommand } from "./enrol-exchange.ts";
import { helperCommand } from "./helper.ts";
import { helperExplain } from "./helper-explain.ts";
import { rollbackCommand } from "./rollback.ts";
import { runCommandOfAgent } from "./run.ts";
import { statusCommand } from "./status.ts";
import { trustReset } from "./trust-reset.ts";
import { trustShow } from "./trust-show.ts";
import { uninstallCommand } from "./uninstall.ts";
import { versionCommand } from "./version.ts";
import { witnessAccept } from "./witness-accept.ts";
import { witnessShow } from "./witness-show.ts";

/** Every command there is, in the order in which the help lists them. */
export const agentCommands: readonly AgentCommand[] = [
  enrolCommand,
  statusCommand,
  doctorCommand,
  ceilingShow,
  ceilingSet,
  trustShow,
  trustReset,
  clockReset,
  witnessShow,
  witnessAccept,
  // Before `helper`, which has no words behind it.
  helperExplain,
  rollbackCommand,
  uninstallCommand,
  runCommandOfAgent,
  helperCommand,
  enrolExchangeCommand,
  bootCommand,
  deadmanCheck,
  deadmanRun,
  versionCommand,
];
