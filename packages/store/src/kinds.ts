import type { JsonObject } from "@gatehouse/base";
import { fault } from "@gatehouse/contract/faults";
import { type RecordKey, type RecordKind, recordKinds } from "@gatehouse/contract/records";

/** The kinds of records that a store keeps, by name. */
export interface Kinds {
  find(name: string): RecordKind | undefined;
}

export function kindsOf(kinds: readonly RecordKind[]): Kinds {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  return { find: (name) => byName.get(name) };
}

/** What every store keeps unless a test brings its own. */
export const productKinds = kindsOf(recordKinds);

/** A record as it stands in a file. */
export interface WrittenRecord {
  /** `kind/id`. */
  readonly key: string;
  /** Form of the value; left out where it is the first. */
  readonly form?: number;
  readonly value: JsonObject;
}

export function isWritten(read: Partial<WrittenRecord>): read is WrittenRecord {
  const { key, form = 1, value } = read;
  return typeof key === "string" && isWhole(form) && form >= 1 && typeof value === "object" && value !== null;
}

export function isWhole(read: unknown): read is number {
  return Number.isSafeInteger(read);
}

/**
 * The value of a record as a file has it, in today's form. Refused by name otherwise: a record that cannot be read is never
 * passed over, because what it decides (who may sign in, which bytes are accepted) would then be decided without it.
 */
export function readValue({ kind, text }: RecordKey, form: number, written: JsonObject): JsonObject {
  if (form > kind.form) {
    throw fault("store.format_unknown", `${text} has form ${form}, this version reads up to ${kind.form}`);
  }
  let value = written;
  for (let earlier = form; earlier < kind.form; earlier += 1) value = migrated(kind, earlier, value);
  const flaw = findFlaw(kind, value);
  if (flaw !== undefined) throw fault("store.record_unreadable", `${text}: ${flaw}`, { fields: { key: text } });
  return value;
}

export function readKey(kinds: Kinds, text: string): RecordKey {
  const end = text.indexOf("/");
  const kind = kinds.find(text.slice(0, end));
  if (kind !== undefined) return kind.keyFrom(text);
  throw fault("store.kind_unknown", `this version knows no kind of record for ${text}`, { fields: { key: text } });
}

/** A value of the form `from` in the next one. */
function migrated({ migrations }: RecordKind, from: number, value: JsonObject): JsonObject {
  const migrate = migrations[from - 1];
  return migrate === undefined ? value : migrate(value);
}

/** Where a value does not have the form of its kind, in words that do not repeat it; undefined when it has. */
export function findFlaw(kind: RecordKind, value: JsonObject): string | undefined {
  const judged = kind.schema.safeParse(value);
  if (judged.success) return undefined;
  const [issue] = judged.error.issues;
  const where = issue?.path.join(".") ?? "";
  return `${where === "" ? "the value" : where}: ${issue?.message ?? "has another form"}`;
}
