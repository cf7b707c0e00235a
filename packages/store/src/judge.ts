import { fault } from "@gatehouse/contract/faults";
import { type AuditQuery, type Change, type Expect, limits, type LoggedEntry, type RecordKey } from "./port.ts";

const keyForm = /^[a-z][a-z0-9-]{0,31}\/[A-Za-z0-9._:@+-]{1,200}$/;

/** The texts of a commit, as they go into the log. */
export interface CommitTexts {
  readonly entry: string;
  readonly changes: string;
}

/** Turns a commit into its texts, or refuses it for its form or its size. Pure. */
export function writeCommit(entry: LoggedEntry, changes: readonly Change[]): CommitTexts {
  if (!Number.isSafeInteger(entry.at) || entry.actor === "" || entry.action === "" || entry.subject === "") {
    throw fault("store.malformed", "an audit entry has a whole `at`, an actor, an action and a subject");
  }
  for (const change of changes) {
    if (!keyForm.test(change.key))
      throw fault("store.malformed", `a record key is kind/id, found ${quote(change.key)}`);
    if (change.value !== null && (typeof change.value !== "object" || Array.isArray(change.value))) {
      throw fault("store.malformed", `the value of ${change.key} must be a JSON object`);
    }
  }
  const texts = { entry: JSON.stringify(entry), changes: changes.length === 0 ? "[]" : JSON.stringify(changes) };
  if (tooLong(texts.entry, limits.entryBytes)) {
    throw fault("store.entry_too_large", `an audit entry takes at most ${limits.entryBytes} bytes`);
  }
  if (tooLong(texts.changes, limits.commitBytes - limits.entryBytes)) {
    throw fault("store.commit_too_large", `a commit takes at most ${limits.commitBytes} bytes`);
  }
  return texts;
}

/** Whether something read back from the log is a change that `writeCommit` would have let through. */
export function isChange(read: unknown): read is Change {
  if (typeof read !== "object" || read === null) return false;
  const { key, newVersion, value } = read as Partial<Change>;
  if (typeof key !== "string" || !keyForm.test(key) || !Number.isSafeInteger(newVersion)) return false;
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
  for (const { key, newVersion, value } of changes) {
    const found = versionOf(key);
    if (found !== newVersion - 1) throw conflict(key, newVersion - 1, found);
    if (value === null && found === 0) throw fault("store.malformed", `${key} is absent and cannot be removed`);
  }
  if (changes.length > 1) refuseRepeated(changes);
}

function refuseRepeated(changes: readonly Change[]): void {
  const seen = new Set<RecordKey>();
  for (const { key } of changes) {
    if (seen.has(key)) throw fault("store.malformed", `${key} is changed twice in one commit`);
    seen.add(key);
  }
}

/** A query with its limit clamped to what the port promises. */
export function clampQuery(query: AuditQuery): AuditQuery {
  const limit = Math.max(1, Math.min(limits.pageItems, Math.trunc(query.limit) || 1));
  return { ...query, limit };
}

function conflict(key: RecordKey, expected: number, found: number): Error {
  return fault("store.conflict", `${key}: expected version ${expected}, found ${found}`, {
    fields: { key, expected, found },
  });
}

function tooLong(text: string, bytes: number): boolean {
  // A UTF-16 unit takes one to three bytes: most texts need no exact count.
  return text.length > bytes || (text.length * 3 > bytes && Buffer.byteLength(text) > bytes);
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}
