import type { PlanFinding } from "@gatehouse/contract/routes";
import { lintSection, type Operation, operation, wordsOf } from "@gatehouse/plan";
import {
  type ChangeFaults,
  findChangeFaults,
  type HostChange,
  operationOf,
  trimChange,
} from "../../widgets/ChangeFields/host-change.ts";

/** A change as its operation in a plan would be read, before any host was asked. */
export interface SaidChange {
  /** In the words of every program; empty while it is not whole. */
  readonly words: readonly string[];
  readonly findings: readonly PlanFinding[];
  readonly wrong: ChangeFaults;
}

const notAlone = "Hosts update their agent alone: remove the other operations, or this one.";

/** No host is known yet: what depends on one is found when the hosts are read. */
const nobody = { ssh: null, management: [], controlPorts: [] } as const;

export function sayChanges(changes: readonly HostChange[]): readonly SaidChange[] {
  const read = changes.map((change) => readOperation(change));
  const whole = read.flatMap(({ value }, at) => (value === undefined ? [] : [{ at, value }]));
  const found = lintSection(
    whole.map(({ value }) => value),
    nobody,
  );
  const isAlone = changes.length === 1;
  return read.map(({ value, wrong }, at) => ({
    wrong: changes[at]?.kind === "agent.update" && !isAlone ? { ...wrong, release: notAlone } : wrong,
    words: value === undefined ? [] : wordsOf(value),
    findings: found
      .filter((finding) => whole[finding.operation]?.at === at)
      .map((finding) => ({ ...finding, operation: at, packet: null })),
  }));
}

function readOperation(change: HostChange): { readonly value?: Operation; readonly wrong: ChangeFaults } {
  const trimmed = trimChange(change);
  const parsed = operation.safeParse(operationOf(trimmed));
  if (parsed.success) return { value: parsed.data, wrong: {} };
  // What is signed of a program is chosen as one.
  const issues = parsed.error.issues.map(({ path: [field], message }) =>
    Object.hasOwn(trimmed, String(field))
      ? [String(field), `It ${message}.`]
      : [trimmed.kind === "agent.update" ? "release" : "program", `Its ${String(field)} ${message}.`],
  );
  return { wrong: { ...Object.fromEntries(issues), ...findChangeFaults(trimmed) } };
}
