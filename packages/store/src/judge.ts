import type { JsonObject } from "@gatehouse/base";
import { fault } from "@gatehouse/contract/faults";
import type { RecordKey } from "@gatehouse/contract/records";
import { findFlaw, isWhole, type Kinds } from "./kinds.ts";
import { type AuditQuery, type Change, type Expect, limits, type LoggedEntry } from "./port.ts";

const keyForm = /^[a-z][a-z0-9-]{0,31}\/[A-Za-z0-9._:@+-]{1,200}$/;

/** A change as it stands in the log. A log of format 1 has `newVersion`, the version before plus one, instead of `was`. */
export interface WrittenChange {
  readonly key: string;
  readonly was?: number;
  readonly newVersion?: number;
  /** Form of the value; left out where it is the first. */
  readonly form?: number;
  readonly value: JsonObject | null;
}

/** The texts of a commit, as they go into the log. */
export interface CommitTexts {
  readonly entry: string;
  readonly changes: string;
}

/** Turns a commit into its texts, or refuses it for its form or its size. Pure. */
export function writeCommit(kinds: Kinds, entry: LoggedEntry, changes: readonly Change[]): CommitTexts {
  if (!Number.isSafeInteger(entry.at) || entry.actor === "" || entry.action === "" || entry.subject === "") {
    throw fault("store.malformed", "an audit entry has a whole `at`, an actor, an action and a subject");
  }
  for (const change of changes) judgeChange(kinds, change);
  const texts = {
    entry: JSON.stringify(entry),
    changes: changes.length === 0 ? "[]" : JSON.stringify(changes.map(written)),
  };
  if (tooLong(texts.entry, limits.entryBytes)) {
    throw fault("store.entry_too_large", `an audit entry takes at most ${limits.entryBytes} bytes`);
  }
  if (tooLong(texts.changes, limits.commitBytes - limits.entryBytes)) {
    throw fault("store.commit_too_large", `a commit takes at most ${limits.commitBytes} bytes`);
  }
  return texts;
}

/** What the next start could not read is not written: a record must have a kind of this store, and its form. */
function judgeChange(kinds: Kinds, { key, value }: Change): void {
  if (!keyForm.test(key.text)) throw fault("store.malformed", `a record key is kind/id, found ${quote(key.text)}`);
  if (kinds.find(key.kind.name) !== key.kind) {
    throw fault("store.malformed", `this store keeps no records ${key.kind.name}/…`);
  }
  const flaw = value === null ? undefined : findFlaw(key.kind, value);
  if (flaw !== undefined) throw fault("store.malformed", `${key.text}: ${flaw}`);
}

function written({ key, was, value }: Change): WrittenChange {
  const { form } = key.kind;
  return form === 1 || value === null ? { key: key.text, was, value } : { key: key.text, was, form, value };
}

/** Whether something read back from the log has the form of a change. Its kind and its value are judged apart. */
export function isChange(read: unknown): read is WrittenChange {
  if (typeof read !== "object" || read === null) return false;
  const { key, was, newVersion, form = 1, value } = read as Partial<WrittenChange>;
  if (typeof key !== "string" || !keyForm.test(key)) return false;
  if ((was === undefined) === (newVersion === undefined)) return false;
  if (!isWhole(was ?? newVersion) || !isWhole(form) || form < 1) return false;
  return value === null || (typeof value === "object" && !Array.isArray(value));
}

/** Refuses the commit unless every version is what the caller saw. `versionOf` answers for the pending head, 0 when absent. */
export function judgeVersions(
  versionOf: (key: RecordKey) => number,
  changes: readonly Change[],
  expects: readonly Expect[],
): void {
  for (const { key, version } of expects) {
    const found = versionOf(key);
    if (found !== version) throw conflict(key, version, found);
  }
  for (const { key, was, value } of changes) {
    const found = versionOf(key);
    if (found !== was) throw conflict(key, was, found);
    if (value === null && found === 0) throw fault("store.malformed", `${key.text} is absent and cannot be removed`);
  }
  if (changes.length > 1) refuseRepeated(changes);
}

function refuseRepeated(changes: readonly Change[]): void {
  const seen = new Set<string>();
  for (const { key } of changes) {
    if (seen.has(key.text)) throw fault("store.malformed", `${key.text} is changed twice in one commit`);
    seen.add(key.text);
  }
}

/** A query with its limit clamped to what the port promises. */
export function clampQuery(query: AuditQuery): AuditQuery {
  const limit = Math.max(1, Math.min(limits.pageItems, Math.trunc(query.limit) || 1));
  return { ...query, limit };
}

function conflict({ text }: RecordKey, expected: number, found: number): Error {
  return fault("store.conflict", `${text}: expected version ${expected}, found ${found}`, {
    fields: { key: text, expected, found },
  });
}

function tooLong(text: string, bytes: number): boolean {
  // A UTF-16 unit takes one to three bytes: most texts need no exact count.
  return text.length > bytes || (text.length * 3 > bytes && Buffer.byteLength(text) > bytes);
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}
