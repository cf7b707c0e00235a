import type { ChangeDeps, ChangeReason } from "./change.ts";
import type { JournalSlot } from "./journal-slot.ts";
import type { Journal } from "./open-journal.ts";

/** Ends a change that has touched nothing: the timer goes, its end is written, the snapshot goes. */
export async function endBeforeChange(
  _deps: ChangeDeps,
  _journal: Journal,
  _slot: JournalSlot,
  _why: ChangeReason,
): Promise<void> {
  throw new Error("not built yet");
}

/** A change that was confirmed: it is kept for the next boot, the timer goes, its end is written, the snapshot goes. Safe to be done again. */
export async function finishChange(_deps: ChangeDeps, _journal: Journal, _slot: JournalSlot): Promise<void> {
  throw new Error("not built yet");
}
