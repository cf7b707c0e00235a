import type { JournalKind } from "../../apps/agent/src/safety/journal-record.ts";
import { Random } from "../support/random.ts";
import { type FaultName, faultNames } from "./faults.ts";

/** After which record of the journal, what, and how long after the host goes on from there. */
export interface FaultRow {
  /** Everything that a plan can change at once, or the agent, which is changed alone. */
  readonly change: "parts" | "agent";
  readonly step: FaultStep;
  readonly name: FaultName;
  readonly afterMs: number;
}

export type FaultStep = Exclude<JournalKind, "ended">;

const steps = [
  "accepted",
  "snapshotted",
  "armed",
  "applying",
  "applied-op",
  "checking",
  "probe",
  "confirmed",
  "restoring",
] as const satisfies readonly FaultStep[];

/** Every step and every fault, and those pairs that go different ways through the program. */
const fixed: readonly (readonly [FaultStep, FaultName])[] = [
  ["accepted", "the helper is killed"],
  ["accepted", "the power is cut"],
  ["accepted", "the disk is full"],
  ["snapshotted", "the helper is killed"],
  ["snapshotted", "the host restarts"],
  ["snapshotted", "the clock jumps"],
  ["armed", "the helper is killed"],
  ["armed", "the power is cut"],
  ["armed", "the disk is full"],
  ["armed", "the agent is killed"],
  ["applying", "the helper is killed"],
  ["applying", "the power is cut"],
  ["applying", "the disk is full"],
  ["applying", "the wire is cut"],
  ["applied-op", "the helper is killed"],
  ["applied-op", "the power is cut"],
  ["applied-op", "the disk is full"],
  ["applied-op", "the clock jumps"],
  ["checking", "the helper is killed"],
  ["checking", "the host restarts"],
  ["checking", "the disk is full"],
  ["probe", "the agent is killed"],
  ["probe", "the power is cut"],
  ["probe", "the clock jumps"],
  ["confirmed", "the helper is killed"],
  ["confirmed", "the power is cut"],
  ["confirmed", "the wire is cut"],
  ["restoring", "the helper is killed"],
  ["restoring", "the power is cut"],
  ["checking", "the server is gone"],
];

const mostMs = 2_000;

/** One in so many of those that are drawn is of the agent: it takes longer than any other. */
const agentEvery = 8;

/** An agent is larger than the disks that can be filled. */
const agentFaultNames = faultNames.filter((name) => name !== "the disk is full");

/** How many, and by which seed: the suite's command tells its tests. */
export const faultsVariable = "GATEHOUSE_LAB_FAULTS";

export function readFaultRows(): readonly FaultRow[] {
  const [count, seed] = (process.env[faultsVariable] ?? "").split(" ").map(Number);
  if (count === undefined || seed === undefined) throw new Error(`expected ${faultsVariable} as "COUNT SEED"`);
  return faultRows(count, seed);
}

/** The fixed ones first, then every pair, then drawn ones that hit somewhere behind a record. */
function faultRows(count: number, seed: number): readonly FaultRow[] {
  const [parts, agent] = [pairsWith(faultNames), pairsWith(agentFaultNames)];
  const exact = [
    ...fixed.map(([step, name]) => ({ change: "parts", step, name, afterMs: 0 }) as const),
    ...parts.flatMap(([step, name], at) => [
      { change: "parts", step, name, afterMs: 0 } as const,
      ...agent.slice(at, at + 1).map(([step, name]) => ({ change: "agent", step, name, afterMs: 0 }) as const),
    ]),
  ];
  const drawn = Array.from({ length: Math.max(count - exact.length, 0) }, (_, stream) => {
    const random = new Random(seed, stream);
    const change = random.below(agentEvery) === 0 ? "agent" : "parts";
    const name = random.pick(change === "agent" ? agentFaultNames : faultNames);
    return { change, name, step: random.pick(steps), afterMs: random.below(mostMs) } as const;
  });
  return [...exact, ...drawn].slice(0, count);
}

function pairsWith(names: readonly FaultName[]): readonly (readonly [FaultStep, FaultName])[] {
  return steps.flatMap((step) => names.map((name) => [step, name] as const));
}
