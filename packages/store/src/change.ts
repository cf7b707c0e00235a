/** Change: how a feature says what a commit changes and relies on. Never reaches a store; the store is handed to whoever commits. */
import type { JsonObject } from "@gatehouse/base";
import type { RecordKey } from "@gatehouse/contract/records";
import type { Change, Expect, StoredRecord } from "./port.ts";

/** A record that must be absent before. */
export function create<T extends JsonObject>(key: RecordKey<T>, value: T): Change {
  return { key, newVersion: 1, value };
}

/** The record as it becomes, in the place of the one that was read. */
export function put<T extends JsonObject>({ key, version }: Read<T>, value: T): Change {
  return { key, newVersion: version + 1, value };
}

export function remove({ key, version }: Read): Change {
  return { key, newVersion: version + 1, value: null };
}

/** A record that was only read and must still be what it was. */
export function unchanged({ key, version }: Read): Expect {
  return { key, version };
}

/** What was found under a key: version 0 where there was nothing. */
type Read<T extends JsonObject = JsonObject> = Pick<StoredRecord<T>, "key" | "version">;
