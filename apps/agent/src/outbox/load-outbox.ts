import { basename, join } from "node:path";
import { isAbsent, makeDirectoryDurably, type Vfs } from "@gatehouse/files";
import { type Contents, contentsOf } from "./contents.ts";
import { readOutbox } from "./read-outbox.ts";
import { readReserved, reserveNumbers } from "./reserved-numbers.ts";

export interface OutboxPlaces {
  readonly records: string;
  /** Numbers that were promised in advance. */
  readonly reserved: string;
  /** The last file that was not as it was written, for whoever wants to look. */
  readonly damaged: string;
}

export function outboxPlaces(directory: string): OutboxPlaces {
  const at = (name: string) => join(directory, name);
  return { records: at("records"), reserved: at("reserved"), damaged: at("records.damaged") };
}

export interface LoadedOutbox {
  readonly contents: Contents;
  readonly generation: number;
  readonly reserved: number;
  /** What the server is to be told when messages are lost and nobody knows which. */
  readonly lost?: string;
}

export interface LoadDeps {
  readonly vfs: Vfs;
  readonly directory: string;
  readonly log: (line: string) => void;
}

/** What is on the disk. A file that is damaged is set aside, and numbers go on behind all that it can have had. */
export async function loadOutbox({ vfs, directory, log }: LoadDeps, places: OutboxPlaces): Promise<LoadedOutbox> {
  await makeDirectoryDurably(vfs, directory);
  const reserved = await readReserved(vfs, places.reserved);
  const reading = await findReading(vfs, places.records);
  if (reading === undefined)
    return reserved === 0 ? beginBehind(0, 0) : { ...beginBehind(reserved, 0), lost: lost("gone") };
  const { generation } = reading;
  if (reading.found === "whole") {
    if (reading.cut > 0) log(`${reading.cut} bytes of an unfinished write were cut from the outbox`);
    return { contents: reading.contents, generation, reserved };
  }
  // First the numbers: without its file nobody could tell any more which were used.
  const behind = reading.last < reserved ? reserved : await reserveNumbers(vfs, places.reserved, reading.last);
  await vfs.rename(places.records, places.damaged);
  await vfs.syncDirectory(directory);
  log(`outbox.damaged: ${places.records}: ${reading.why}; it was set aside as ${basename(places.damaged)}`);
  return { ...beginBehind(behind, generation), lost: lost("damaged") };
}

async function findReading(vfs: Vfs, path: string) {
  const file = await vfs.open(path, "read").catch((error: unknown) => {
    if (isAbsent(error)) return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    return await readOutbox(file);
  } finally {
    await file.close();
  }
}

function beginBehind(last: number, generation: number): LoadedOutbox {
  return { contents: contentsOf({ acked: last, last, dropped: 0, mark: null }), generation, reserved: last };
}

function lost(how: string): string {
  return `the outbox was ${how}; nobody knows what was in it`;
}
