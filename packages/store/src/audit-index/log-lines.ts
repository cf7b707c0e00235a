import { fault } from "@gatehouse/contract/faults";
import { type DecodedGroup, decodeGroup, decodeHeader, decodeMark, splitEntries } from "../log-format.ts";
import type { LoggedEntry } from "../port.ts";

const lineFeed = 0x0a;

/** The groups among whole lines of the log. Header, marks and blank lines are passed over; anything else is damage. */
export function readGroups(log: Buffer): DecodedGroup[] {
  const groups: DecodedGroup[] = [];
  let start = 0;
  while (start < log.length) {
    const end = log.indexOf(lineFeed, start);
    if (end === -1) throw damaged(groups, "a line that ends in a line feed");
    if (end > start) {
      const line = log.subarray(start, end);
      const group = decodeGroup(line);
      if (group !== undefined) groups.push(group);
      else if (decodeMark(line) === undefined && decodeHeader(line) === undefined) throw damaged(groups, "a group");
    }
    start = end + 1;
  }
  return groups;
}

export interface EntryRow {
  readonly position: number;
  /** The exact JSON text: what was hashed. */
  readonly text: string;
  readonly entry: LoggedEntry;
}

/** The entries of a group, or a refusal when the bytes are not what the store writes. */
export function readEntries(group: DecodedGroup): EntryRow[] {
  let texts: string[] | undefined;
  try {
    texts = splitEntries(group.entries, group.count);
  } catch (cause) {
    throw fault("store.log_damaged", `position ${group.first}: expected JSON entries`, {
      fields: { position: group.first, expected: "JSON entries", found: "other bytes" },
      cause,
    });
  }
  if (texts === undefined) throw malformed(group.first, `${group.count} entries as the store writes them`);
  return texts.map((text, offset) => {
    const position = group.first + offset;
    const entry = JSON.parse(text) as LoggedEntry | null;
    if (!isEntry(entry)) throw malformed(position, "an entry with at, actor, action and subject");
    return { position, text, entry };
  });
}

function isEntry(entry: LoggedEntry | null): entry is LoggedEntry {
  return (
    typeof entry === "object" &&
    entry !== null &&
    typeof entry.at === "number" &&
    typeof entry.actor === "string" &&
    typeof entry.action === "string" &&
    typeof entry.subject === "string"
  );
}

function malformed(position: number, expected: string) {
  const fields = { position, expected, found: "other bytes" };
  return fault("store.log_damaged", `position ${position}: expected ${expected}, found other bytes`, { fields });
}

function damaged(before: readonly DecodedGroup[], expected: string) {
  const last = before.at(-1);
  const found = "other bytes";
  if (last === undefined) {
    const detail = `at the start of the bytes: expected ${expected}, found ${found}`;
    return fault("store.log_damaged", detail, { fields: { expected, found } });
  }
  const position = last.first + last.count;
  const detail = `after position ${position - 1}: expected ${expected}, found ${found}`;
  return fault("store.log_damaged", detail, { fields: { position, expected, found } });
}
