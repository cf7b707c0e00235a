import type { Json } from "@gatehouse/base";
import { fault } from "@gatehouse/contract/faults";
import { cutWords } from "../cut-words.ts";
import type { LoggedEntry } from "../port.ts";

/**
 * What text search sees of an entry: its values, never its keys, one to a line. Both adapters use this and `words`, so
 * that they cannot disagree about what a word is.
 */
export function searchableText(entry: LoggedEntry): string {
  const parts = [entry.actor, entry.action, entry.subject];
  if (entry.outcome !== undefined) parts.push(entry.outcome);
  if (entry.requestId !== undefined) parts.push(entry.requestId);
  if (entry.address !== undefined) parts.push(entry.address);
  if (entry.detail !== undefined) collect(entry.detail, parts);
  return parts.join("\n");
}

/** The distinct words of a text, in lower case, in the order in which they first appear. */
export function words(text: string): string[] {
  return [...new Set(cutWords(text))];
}

const mostQueryWords = 32;

/** The words a query asks for. A word that begins another one is dropped: the longer one says it all. */
export function queryWords(text: string): string[] {
  const all = words(text);
  const asked = all.filter((word) => !all.some((other) => other !== word && other.startsWith(word)));
  if (asked.length <= mostQueryWords) return asked;
  throw fault("request.malformed", `text: expected at most ${mostQueryWords} words, found ${asked.length}`);
}

/** Strings and numbers at any depth. A list of open values instead of recursion: depth is the sender's choice. */
function collect(detail: Json, into: string[]): void {
  const open: Json[] = [detail];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === "string") into.push(value);
    else if (typeof value === "number") into.push(String(value));
    else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) open.push(inner);
  }
}
