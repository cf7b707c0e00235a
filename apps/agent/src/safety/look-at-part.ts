import type { Clock } from "@gatehouse/base";
import { fault, isFault } from "@gatehouse/contract/faults";
import type { Operation } from "@gatehouse/plan";
import { allowsReading } from "../ceiling/allows-reading.ts";
import type { Ceiling } from "../ceiling/ceiling.ts";
import type { CeilingKindName } from "../ceiling/kinds.ts";
import type { AgentPaths } from "../config.ts";
import type { RunOnHost } from "../host/run-on-host.ts";
import { digestState } from "../operations/digest-states.ts";
import { changingRows, findHostChange } from "../operations/host-operations.ts";
import { boundGround, splitSubject } from "../operations/state-question.ts";
import type { WatchedPart } from "./watched-parts.ts";

export interface LookDeps {
  readonly paths: Pick<AgentPaths, "root" | "helperState">;
  readonly owner: number;
  readonly run: RunOnHost;
  readonly clock: Pick<Clock, "monotonic">;
  readonly ceiling: Ceiling;
  readonly privateKey: Uint8Array;
}

/** For one program, and for one part: a host has other things to do. */
const mostMs = { program: 2_000, question: 2_000 };

const rows = new Map(changingRows.map(([kind, row]) => [row.prefix, { ...row, kind: kind as CeilingKindName }]));

/**
 * One part as it is now beside what was confirmed. What cannot be read is told so with its reason, and never as the same. One that was
 * never hashed is held against what its change made: only where it is that, its digest is what the next looks expect.
 */
export async function lookAtPart(deps: LookDeps, part: WatchedPart, made: Operation | undefined): Promise<WatchedPart> {
  try {
    const found = await hashNow(deps, part.subject);
    if (isUnknown(part)) {
      if (made === undefined)
        return unread(part, "state.unreadable: what its change made is not in the journal any more");
      if (found !== "absent" && (await isMade(deps, made))) {
        return { ...part, expected: found, state: "same", found: null, why: "" };
      }
    }
    if (found === "absent") return { ...part, state: "missing", found: null, why: "" };
    if (found === part.expected) return { ...part, state: "same", found: null, why: "" };
    return { ...part, state: "differs", found, why: "" };
  } catch (error) {
    if (!isFault(error)) throw error;
    return unread(part, `${error.code}: ${error.detail}`);
  }
}

/** Whether it was never hashed while it was as confirmed: then only the journal says what it should be. */
export function isUnknown({ expected }: WatchedPart): boolean {
  return expected === null;
}

function unread(part: WatchedPart, why: string): WatchedPart {
  return { ...part, state: "unread", found: null, why: why.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 200) };
}

async function hashNow({ paths, run, clock, ceiling, privateKey }: LookDeps, subject: string): Promise<string> {
  const { prefix, target } = splitSubject(subject);
  const row = rows.get(prefix);
  // Root may have drawn the ceiling closer since it was confirmed.
  if (row?.target.safeParse(target).success !== true || !allowsReading(ceiling, row.kind, target)) {
    throw fault("read.ceiling", "it is not in the ceiling of this host any more");
  }
  const ground = boundGround({ root: paths.root, run, clock, privateKey }, mostMs);
  return digestState(subject, await row.readState(ground, target));
}

async function isMade({ paths, owner, run }: LookDeps, operation: Operation): Promise<boolean> {
  const bounded: RunOnHost = (program, args) => run(program, args, mostMs.program);
  const ground = { root: paths.root, owner, run: bounded, directory: paths.helperState, pause: async () => undefined };
  return (await findHostChange(operation.kind)?.isApplied(ground, operation)) === true;
}
