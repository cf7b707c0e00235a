import { type Clock, systemClock } from "@gatehouse/base";
import { fault } from "@gatehouse/contract/faults";
import { type Precondition, stateDigest } from "@gatehouse/plan";
import { sha256 } from "../local/sha256.ts";
import type { HostOperation, StateGround } from "./host-operation.ts";
import { changingRows } from "./host-operations.ts";
import { boundGround, nameSubject, showSubject, splitSubject } from "./state-question.ts";

/** Longer than for a server that asks: nobody but the host waits, and on a busy one the answer is wanted all the same. */
const mostMs = { program: 20_000, question: 60_000 };

const rows: ReadonlyMap<string, HostOperation> = new Map(changingRows.map(([, row]) => [row.prefix, row]));

/**
 * The digests of parts of the host as they are now, by their subjects; `absent` where there is no such part. The ceiling is not asked:
 * these are parts of a change that was accepted already. Throws `state.unreadable`, or the fault that says better why it cannot be
 * told (`read.limit`, `path.symlink`, `path.kind`); each names its subject.
 */
export async function digestStates(
  ground: Pick<StateGround, "root" | "run" | "privateKey"> & {
    /** Another one in tests alone. */
    readonly clock?: Pick<Clock, "monotonic">;
  },
  subjects: readonly string[],
): Promise<ReadonlyMap<string, Precondition["state"]>> {
  const asked = [...new Set(subjects)].map((subject) => ({ subject, ...findRow(subject) }));
  const bound = boundGround({ clock: systemClock, ...ground }, mostMs);
  const digests = new Map<string, Precondition["state"]>();
  for (const { subject, target, row } of asked) {
    const state = await nameSubject(subject, () => {
      bound.checkTime();
      return row.readState(bound, target);
    });
    digests.set(subject, digestState(subject, state));
  }
  return digests;
}

/** A part as preconditions name it. */
export function digestState(subject: string, state: object | null): Precondition["state"] {
  return state === null ? "absent" : stateDigest(sha256, subject, state);
}

function findRow(subject: string): { readonly target: string; readonly row: HostOperation } {
  const { prefix, target } = splitSubject(subject);
  const row = rows.get(prefix);
  if (row?.target.safeParse(target).success === true) return { target, row };
  throw fault("state.unreadable", `${showSubject(subject)} is no part of a host that a change can replace`);
}
