import type { ChangeDeps } from "./change.ts";
import type { JournalDataOf } from "./journal-record.ts";
import type { JournalSlot } from "./journal-slot.ts";

/** Keeps what is there now of every part that the change will replace, durably, with a manifest that says all that is needed to put it back. */
export async function keepSnapshot(
  _deps: ChangeDeps,
  _slot: JournalSlot,
): Promise<JournalDataOf<"snapshotted">["copies"]> {
  throw new Error("not built yet");
}

/** Whether every copy is what was kept and would put its part back. Changes nothing. Throws `snapshot.unprovable`. */
export async function proveSnapshot(_deps: ChangeDeps, _task: string): Promise<void> {
  throw new Error("not built yet");
}
