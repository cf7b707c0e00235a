import type { LinkedRecord } from "./journal-format.ts";
import type { JournalDataOf, JournalKind } from "./journal-record.ts";

/** What stays in memory of a record: a section of megabytes is not among it. */
export interface JournalNote {
  readonly seq: number;
  readonly at: number;
  readonly task: string;
  readonly kind: JournalKind;
  readonly link: Uint8Array;
  /** Of an end: all that its outcome is signed from. */
  readonly end: JournalDataOf<"ended"> | undefined;
}

/** The end of a change, as it stands in the journal. */
export type EndNote = JournalNote & { readonly end: JournalDataOf<"ended"> };

/** So many are remembered: about a hundred changes. Whoever has missed more is told of the newest. */
export const mostNotes = 1_000;

export function noteOf(record: LinkedRecord): JournalNote {
  const { seq, at, task, kind, link } = record;
  return { seq, at, task, kind, link, end: record.kind === "ended" ? record.data : undefined };
}

export function isEnd(note: JournalNote): note is EndNote {
  return note.end !== undefined;
}
