import { join } from "node:path";
import { fault } from "@gatehouse/contract/faults";
import { isAbsent, type Vfs } from "@gatehouse/files";
import { isSameBytes } from "@gatehouse/keys/frame";
import { decodeRecords, findHead, headLength, type JournalLink, type LinkedRecord } from "./journal-format.ts";

export interface JournalPlace {
  readonly vfs: Vfs;
  readonly directory: string;
}

/** The end of what was read: the next record belongs there. */
export interface JournalPosition extends JournalLink {
  readonly file: number;
  readonly end: number;
}

export interface ReadOn {
  readonly position: JournalPosition;
  /** What stands behind the position and is no record. */
  readonly rest: { readonly file: number; readonly what: string } | undefined;
}

export function fileOf({ directory }: Pick<JournalPlace, "directory">, number: number): string {
  return join(directory, String(number).padStart(8, "0"));
}

/** The numbers of the files that are there, rising. */
export async function listJournalFiles({ vfs, directory }: JournalPlace): Promise<number[]> {
  const names = await vfs.list(directory);
  return names
    .filter((name) => /^[0-9]{8}$/.test(name))
    .map(Number)
    .toSorted((one, other) => one - other);
}

/**
 * Reads from a position to the end, over as many files as there are, and hands over every record with the file that it stands in. They
 * are not gathered: whole sections stand in them, and the helper has only so much memory.
 */
export async function readOn(
  place: JournalPlace,
  from: JournalPosition,
  take: (record: LinkedRecord, file: number) => void,
): Promise<ReadOn> {
  let position = from;
  for (;;) {
    const { file } = position;
    // Only what is new: a journal that is asked often is not read anew each time.
    const bytes = await findBytesAt(place.vfs, fileOf(place, file), position.end);
    if (bytes === undefined) throw fault("journal.unsound", `${fileOf(place, file)} is shorter than it was`);
    const decoded = decodeRecords(bytes, 0, position);
    for (const record of decoded.records) take(record, file);
    const seq = decoded.records.at(-1)?.seq ?? position.seq;
    position = { file, end: position.end + decoded.end, link: decoded.link, seq };
    if (decoded.flaw !== undefined) {
      const what = decoded.flaw === "unfinished" ? "stops within a record" : "has a record that is not as written";
      return { position, rest: { file, what } };
    }
    const next = position.file + 1;
    const following = await findFileBytes(place, next);
    if (following === undefined) return { position, rest: undefined };
    const head = findHead(following);
    if (head === undefined || !isSameBytes(head, position.link)) {
      return { position, rest: { file: next, what: "does not go on from the file before it" } };
    }
    position = { ...position, file: next, end: headLength };
  }
}

export async function findFileBytes({ vfs, directory }: JournalPlace, number: number): Promise<Uint8Array | undefined> {
  return findBytesAt(vfs, fileOf({ directory }, number));
}

/** All of a file from a place on; undefined when it is absent or ends before that. */
export async function findBytesAt(vfs: Vfs, path: string, from = 0): Promise<Uint8Array | undefined> {
  try {
    const file = await vfs.open(path, "read");
    try {
      const size = await file.size();
      return size < from ? undefined : await file.read(from, size - from);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
