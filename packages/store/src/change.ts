import type { JsonObject } from "@gatehouse/base";
import type { RecordKey } from "@gatehouse/contract/records";
import type { Change, StoredRecord } from "./port.ts";

/** A record that must be absent before. */
export function create<T extends JsonObject>(key: RecordKey<T>, value: T): Change {
  return { key, was: 0, value };
}

/** The record as it becomes, in the place of the one that was read. */
export function put<T extends JsonObject>({ key, version }: Read<T>, value: T): Change {
  return { key, was: version, value };
}

export function remove({ key, version }: Read): Change {
  return { key, was: version, value: null };
}

/** What was found under a key: version 0 where there was nothing. */
type Read<T extends JsonObject = JsonObject> = Pick<StoredRecord<T>, "key" | "version">;
