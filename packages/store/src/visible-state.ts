import type { RecordKey } from "@gatehouse/contract/records";
import type { Change, Version } from "./port.ts";
import { RecordTable, type TableRecord } from "./record-table.ts";

/**
 * The durable records that readers see, with a snapshot that can be taken while changes go on: a record that is about
 * to be changed before the snapshot has given it out is set aside as it was.
 */
export class VisibleState {
  readonly table = new RecordTable();
  #asideAt: number | undefined;
  #snapshot = 0;
  readonly #aside = new Map<string, TableRecord>();

  apply(change: Pick<Change, "key" | "value">, version: Version): void {
    if (this.#asideAt !== undefined) this.#setAside(change.key, this.#asideAt);
    this.table.apply(change, version);
  }

  #setAside(key: RecordKey, snapshotPosition: number): void {
    const old = this.table.get(key);
    if (old === undefined || old.version > snapshotPosition || old.snapshot === this.#snapshot) return;
    this.#aside.set(key.text, old);
  }

  /**
   * The records as they are now, at `position`, given out one by one however long that takes. One snapshot at a time; it
   * lasts until `endSnapshot`.
   */
  snapshotAt(position: number): Iterable<TableRecord> {
    this.#asideAt = position;
    this.#snapshot += 1;
    this.#aside.clear();
    return this.#giveOut(position);
  }

  endSnapshot(): void {
    this.#asideAt = undefined;
    this.#aside.clear();
  }

  *#giveOut(position: number): Generator<TableRecord> {
    for (const record of this.table.values()) {
      const then = record.version <= position ? record : this.#takeAside(record.key.text);
      if (then !== undefined) yield this.#given(then);
    }
    for (const removed of this.#aside.values()) yield this.#given(removed);
  }

  #takeAside(key: string): TableRecord | undefined {
    const aside = this.#aside.get(key);
    this.#aside.delete(key);
    return aside;
  }

  #given(record: TableRecord): TableRecord {
    record.snapshot = this.#snapshot;
    return record;
  }
}
