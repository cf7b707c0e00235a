import type { HostWork, WorkStep } from "../host-work.ts";
import { systemctlWords } from "./systemd-words.ts";

/** The units in which the agent runs. */
const units = {
  agent: "gatehouse-agent.service",
  helper: "gatehouse-helper.service",
  socket: "gatehouse-helper.socket",
} as const;

const start = (unit: string): readonly string[] => ["start", "--no-block", unit];

/** What systemctl is asked with when the agent itself is replaced: the part behind the program's own name. */
export const agentWords = {
  /** The part that changes hosts starts itself anew: as what has been put in its place. */
  handOver: systemctlWords.order("restart", units.helper),
  /** Whatever runs of a version that was taken back. It may hang, and is not asked. */
  kill: [units.helper, units.agent].map((unit): readonly string[] => ["kill", "--signal=KILL", unit]),
  /** What has failed too often is not started by systemd any more. */
  resetFailed: Object.values(units).map(systemctlWords.resetFailed),
  /** The door first: the part that changes hosts is started by it. */
  startAnew: [start(units.socket), systemctlWords.order("restart", units.agent)],
} as const;

/** The bytes of a release are no text that a reviewer could read. */
export function agentWork(): HostWork {
  const at = (step: WorkStep, all: readonly (readonly string[])[]) =>
    all.map((words) => ({ step, argv: ["systemctl", ...words] }));
  const { handOver, kill, resetFailed, startAnew } = agentWords;
  return {
    files: [],
    programs: [...at("check", [handOver]), ...at("restore", [...kill, ...resetFailed, ...startAnew])],
  };
}
