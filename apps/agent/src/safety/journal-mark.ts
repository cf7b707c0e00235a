import { join } from "node:path";
import { byteForm, readByteForm } from "@gatehouse/base";
import { fault } from "@gatehouse/contract/faults";
import { writeDurably } from "@gatehouse/files";
import * as z from "zod";
import { findBytesAt, type JournalPlace } from "./journal-files.ts";

/**
 * The last record that somebody acts upon. Without it, a bit that flips in the last record would look like a write that was cut off
 * by the power, and a change that was made would be forgotten.
 */
const mark = z.strictObject({ v: z.literal(1), seq: z.int().nonnegative(), link: z.string().regex(/^[0-9a-f]{64}$/) });
export type JournalMark = Omit<z.output<typeof mark>, "v">;

export async function findMark(place: JournalPlace): Promise<JournalMark | undefined> {
  const bytes = await findBytesAt(place.vfs, pathOf(place));
  if (bytes === undefined) return undefined;
  const read = mark.safeParse(readByteForm(bytes, { depth: 4, keys: 8, items: 8 }));
  if (!read.success) throw fault("journal.unsound", `${pathOf(place)} is not as it was written`);
  return { seq: read.data.seq, link: read.data.link };
}

export function putMark(place: JournalPlace, { seq, link }: JournalMark): Promise<void> {
  return writeDurably(place.vfs, pathOf(place), byteForm({ v: 1, seq, link }));
}

function pathOf({ directory }: JournalPlace): string {
  return join(directory, "mark");
}
