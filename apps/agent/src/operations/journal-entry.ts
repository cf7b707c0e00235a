import * as z from "zod";
import { type JournalPlace, journalPlaceOf } from "./log-place.ts";

/** The fields that are asked for, with all that says which unit an entry is about. */
export const entryFields = "MESSAGE,PRIORITY,_SYSTEMD_UNIT,UNIT,OBJECT_SYSTEMD_UNIT,COREDUMP_UNIT";
/** The same without what was said. */
export const countedFields = "_SYSTEMD_UNIT,UNIT,OBJECT_SYSTEMD_UNIT,COREDUMP_UNIT";

export interface JournalEntry {
  readonly place: JournalPlace;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly level: number | null;
  readonly text: string;
  /** Every unit that it names, the one that wrote it first: what a program says of others counts for less. */
  readonly units: readonly string[];
}

const form = z.looseObject({
  __CURSOR: z.string().max(256),
  __REALTIME_TIMESTAMP: z.string().regex(/^\d{1,18}$/),
});

/** An entry as `journalctl --output json` prints it; undefined for what is none. */
export function parseJournalEntry(line: string): JournalEntry | undefined {
  const parsed = form.safeParse(parseJson(line));
  if (!parsed.success) return undefined;
  const place = journalPlaceOf(parsed.data.__CURSOR);
  if (place === undefined || place.cursor === "") return undefined;
  const fields: Readonly<Record<string, unknown>> = parsed.data;
  return {
    place,
    at: Math.floor(Number(parsed.data.__REALTIME_TIMESTAMP) / 1_000),
    level: levelOf(fields["PRIORITY"]),
    text: messageText(fields["MESSAGE"]),
    units: countedFields.split(",").flatMap((name) => valuesOf(fields[name]).map(valueText)),
  };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // A line of something else, or half of one.
    return undefined;
  }
}

function levelOf(priority: unknown): number | null {
  return typeof priority === "string" && /^[0-7]$/.test(priority) ? Number(priority) : null;
}

/** journalctl says null for a message that it finds too long to print. */
function messageText(message: unknown): string {
  if (message === null) return "(a message that is too long to be read)";
  return valuesOf(message).map(valueText).join("\n");
}

/** A field that was given more than once is a list of its values; bytes that are no text are a list of numbers, which is one value. */
function valuesOf(field: unknown): readonly unknown[] {
  if (field === undefined || field === null) return [];
  return Array.isArray(field) && !field.every((each) => typeof each === "number") ? field : [field];
}

function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  const bytes = Uint8Array.from(value, (each) => (typeof each === "number" ? each : 0));
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
