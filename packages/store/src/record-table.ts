import type { Change, RecordKey, StoredRecord } from "./port.ts";

/** A record with the position of the commit that last wrote it. */
export interface TableRecord extends StoredRecord {
  readonly position: number;
  /** The snapshot that has already given this record out. */
  snapshot?: number;
}

/** The records of one moment, by key, and by kind in the order of their keys. */
export class RecordTable {
  readonly #records = new Map<RecordKey, TableRecord>();
  readonly #kinds = new Map<string, SortedKeys>();

  get size(): number {
    return this.#records.size;
  }

  get(key: RecordKey): TableRecord | undefined {
    return this.#records.get(key);
  }

  versionOf(key: RecordKey): number {
    return this.#records.get(key)?.version ?? 0;
  }

  put(record: TableRecord): void {
    if (!this.#records.has(record.key)) this.#keysOf(kindOf(record.key)).add(record.key);
    this.#records.set(record.key, record);
  }

  apply(change: Change, position: number): void {
    if (change.value === null) {
      this.#records.delete(change.key);
      this.#keysOf(kindOf(change.key)).remove(change.key);
    } else {
      this.put({ key: change.key, version: change.newVersion, value: change.value, position });
    }
  }

  list(kind: string, after: RecordKey | undefined, limit: number): TableRecord[] {
    const keys = this.#keysOf(kind).sorted();
    const start = after === undefined ? 0 : firstBeyond(keys, after);
    return keys.slice(start, start + limit).map((key) => this.#records.get(key) as TableRecord);
  }

  /** Live iteration: records added meanwhile come at the end, removed ones do not come. */
  values(): IterableIterator<TableRecord> {
    return this.#records.values();
  }

  #keysOf(kind: string): SortedKeys {
    let keys = this.#kinds.get(kind);
    if (keys === undefined) {
      keys = new SortedKeys();
      this.#kinds.set(kind, keys);
    }
    return keys;
  }
}

/** Keys in order. Loading appends and sorts once; later changes move a few pointers. */
class SortedKeys {
  readonly #keys: RecordKey[] = [];
  #inOrder = true;

  add(key: RecordKey): void {
    const last = this.#keys.at(-1);
    if (last !== undefined && last > key) this.#inOrder = false;
    this.#keys.push(key);
  }

  remove(key: RecordKey): void {
    const at = firstBeyond(this.sorted(), key) - 1;
    if (this.#keys[at] === key) this.#keys.splice(at, 1);
  }

  sorted(): readonly RecordKey[] {
    if (!this.#inOrder) this.#keys.sort();
    this.#inOrder = true;
    return this.#keys;
  }
}

/** Index of the first key greater than `key`. */
function firstBeyond(keys: readonly RecordKey[], key: RecordKey): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as string) <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function kindOf(key: RecordKey): string {
  return key.slice(0, key.indexOf("/"));
}
