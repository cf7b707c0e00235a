import type { JsonObject } from "@gatehouse/base";
import type { TaskStepName } from "@gatehouse/contract";
import * as z from "zod";
import { getHostIdentity, type HostIdentity } from "../local/host-key.ts";
import { isEnd, type JournalNote } from "../safety/journal-note.ts";
import type { JournalKind } from "../safety/journal-record.ts";
import type { HelperDeps } from "./helper-deps.ts";
import { signOutcome } from "./sign-outcome.ts";

export const journalFields = z.strictObject({ after: z.int().nonnegative() });

/** How the steps that are told of a change are called in the journal. */
const stepOf: Partial<Record<JournalKind, TaskStepName>> = {
  accepted: "validated",
  snapshotted: "snapshotted",
  armed: "armed",
  applying: "applying",
  checking: "checking",
};

/** Of each kind in one answer, and the characters of all outcomes in it: an answer has a size that it may have at most. */
const most = { items: 100, outcomeLength: 1024 * 1024 };

/** What has been written down since a record, with the outcomes in the host's own name. Whoever has read up to `last` asks from there. */
export async function readJournal(deps: HelperDeps, { after }: z.output<typeof journalFields>): Promise<JsonObject> {
  const { open, newest, notes } = await deps.changes.told(after);
  const told = tell(notes, () => getHostIdentity(deps));
  return { ...told, last: told.last ?? newest, open: open ?? null };
}

function tell(notes: readonly JournalNote[], identify: () => HostIdentity) {
  const steps: { seq: number; task: string; state: string; at: number }[] = [];
  const outcomes: { seq: number; signed: string }[] = [];
  let identity: HostIdentity | undefined;
  let length = 0;
  let last: number | undefined;
  for (const note of notes) {
    const { seq, task, at } = note;
    if (steps.length === most.items || outcomes.length === most.items || length > most.outcomeLength) break;
    const state = stepOf[note.kind];
    if (state !== undefined) steps.push({ seq, task, state, at });
    if (isEnd(note)) {
      identity ??= identify();
      const signed = signOutcome(identity, note);
      outcomes.push({ seq, signed });
      length += signed.length;
    }
    last = seq;
  }
  return { steps, outcomes, last };
}
