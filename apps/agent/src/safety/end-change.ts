import { byteForm } from "@gatehouse/base";
import type { HostEnd } from "@gatehouse/contract";
import type { Operation } from "@gatehouse/plan";
import type { ChangeDeps, ChangeReason } from "./change.ts";
import type { JournalDataOf } from "./journal-record.ts";
import type { JournalSlot } from "./journal-slot.ts";
import type { Journal } from "./open-journal.ts";
import { sectionOf } from "./section-of.ts";
import { changeGroundOf, dropSnapshot } from "./snapshot-files.ts";

/** Ends a change that has touched nothing: the timer goes, its end is written, the snapshot goes. */
export async function endBeforeChange(
  deps: ChangeDeps,
  journal: Journal,
  slot: JournalSlot,
  why: ChangeReason,
): Promise<void> {
  await tryStop(deps);
  await journal.append(slot.task, "ended", endOf(slot, "failed_before_change", why));
  await dropSnapshot(deps, slot.task);
}

/** A change that was confirmed: it is kept for the next boot, the timer goes, its end is written, the snapshot goes. Safe to be done again. */
export async function finishChange(deps: ChangeDeps, journal: Journal, slot: JournalSlot): Promise<void> {
  for (const operation of sectionOf(slot.accepted).operations) {
    await deps.host.keepForBoot(operation);
    await forget(deps, slot.task, operation);
  }
  await tryStop(deps);
  await journal.append(slot.task, "ended", endOf(slot, "applied", { code: "", detail: "" }));
  await dropSnapshot(deps, slot.task);
}

/** What stays of it takes room and is otherwise harmless: no reason to leave the change open. */
async function forget(deps: ChangeDeps, task: string, operation: Operation): Promise<void> {
  try {
    await deps.host.findChange(operation.kind)?.finish?.(changeGroundOf(deps, task), operation);
  } catch (error) {
    deps.log(`${task}: what served to take it back is not all gone: ${(error as Error).message}`);
  }
}

/** A timer that stays finds a change that has ended, and does nothing: no reason to leave the change open. */
export async function tryStop({ deadman, log }: Pick<ChangeDeps, "deadman" | "log">): Promise<void> {
  try {
    await deadman.stop();
  } catch (error) {
    log(`the timer that takes a change back could not be stopped: ${(error as Error).message}`);
  }
}

/** Of a record. */
const mostDetail = 1_000;

/** Half of a character would have no byte form, and the record could not be written. */
export function cutDetail(detail: string): string {
  return detail.slice(0, mostDetail).toWellFormed();
}

const mostEndBytes = 40_000;

/** What the last record of a change says, so that its outcome can be signed from it alone. */
export function endOf(
  { accepted: { approvalId, planDigest, index }, told }: Pick<JournalSlot, "accepted" | "told">,
  outcome: HostEnd,
  { code, detail }: ChangeReason,
  foreign: readonly string[] = [],
): JournalDataOf<"ended"> {
  const end = { approvalId, planDigest, index, outcome, code, detail: cutDetail(detail), foreign: [...foreign] };
  if (told.length === 0) return end;
  const whole = { ...end, told: [...told] };
  // Somebody else's changes are told before what a log says: the message that it is signed as has no room for more.
  return byteForm(whole).byteLength <= mostEndBytes ? whole : end;
}
