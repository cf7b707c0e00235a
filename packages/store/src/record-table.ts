import type { JsonObject } from "@gatehouse/base";
import type { RecordKey, RecordKind } from "@gatehouse/contract/records";
import { deepFreeze } from "./deep-freeze.ts";
import type { Change, StoredRecord, Version } from "./port.ts";

/** A record whose version is the position of the commit that wrote it, or less where it was written before 0.1.6. */
export interface TableRecord<T extends JsonObject = JsonObject> extends StoredRecord<T> {
  /** The snapshot that has already given this record out. */
  snapshot?: number;
}

/** The records of one moment, by key, and by kind in the order of their keys. */
export class RecordTable {
  /** By the text of the key: two keys of one record are two objects. */
  readonly #records = new Map<string, TableRecord>();
  readonly #kinds = new Map<string, SortedKeys>();

  get size(): number {
    return this.#records.size;
  }

  /** A record was held to its kind when it was written or read from a file, so it has the type of the key's kind. */
  get<T extends JsonObject>(key: RecordKey<T>): TableRecord<T> | undefined {
    const found = this.#records.get(key.text) as TableRecord<T> | undefined;
    if (found !== undefined) freezeOnce(found);
    return found;
  }

  versionOf(key: RecordKey): number {
    return this.#records.get(key.text)?.version ?? 0;
  }

  put(record: TableRecord): void {
    const { kind, text } = record.key;
    if (!this.#records.has(text)) this.#keysOf(kind).add(text);
    this.#records.set(text, record);
  }

  apply(change: Pick<Change, "key" | "value">, version: Version): void {
    if (change.value === null) {
      this.#records.delete(change.key.text);
      this.#keysOf(change.key.kind).remove(change.key.text);
    } else {
      this.put({ key: change.key, version, value: change.value });
    }
  }

  list<T extends JsonObject>(kind: RecordKind<T>, after: RecordKey | undefined, limit: number): TableRecord<T>[] {
    const keys = this.#keysOf(kind).sorted();
    const start = after === undefined ? 0 : firstBeyond(keys, after.text);
    const found = keys.slice(start, start + limit).map((key) => this.#records.get(key) as TableRecord<T>);
    for (const record of found) freezeOnce(record);
    return found;
  }

  /** Live iteration: records added meanwhile come at the end, removed ones do not come. */
  values(): IterableIterator<TableRecord> {
    return this.#records.values();
  }

  #keysOf({ name }: RecordKind): SortedKeys {
    let keys = this.#kinds.get(name);
    if (keys === undefined) {
      keys = new SortedKeys();
      this.#kinds.set(name, keys);
    }
    return keys;
  }
}

/** What was committed is frozen already; what came from a file is when it is first read. */
function freezeOnce({ value }: TableRecord): void {
  if (!Object.isFrozen(value)) deepFreeze(value);
}

/** Keys in order. Loading appends and sorts once; later changes move a few pointers. */
class SortedKeys {
  readonly #keys: string[] = [];
  #inOrder = true;

  add(key: string): void {
    const last = this.#keys.at(-1);
    if (last !== undefined && last > key) this.#inOrder = false;
    this.#keys.push(key);
  }

  remove(key: string): void {
    const at = firstBeyond(this.sorted(), key) - 1;
    if (this.#keys[at] === key) this.#keys.splice(at, 1);
  }

  sorted(): readonly string[] {
    if (!this.#inOrder) this.#keys.sort();
    this.#inOrder = true;
    return this.#keys;
  }
}

/** Index of the first key greater than `key`. */
function firstBeyond(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as string) <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}
