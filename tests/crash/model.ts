import type { RecordKey } from "@gatehouse/contract/records";
import type { Change, StoredRecord, Version } from "@gatehouse/store";
import { kinds, planCommit } from "./planned-commits.ts";

/** Which commit of which run stands at a place of the log. */
export interface Place {
  readonly run: number;
  readonly n: number;
}

/** Not a planned commit: the audit log was pruned up to position `n`. No run has this number: they come from seeds, from 0 on. */
export const pruningRun = -1;
/** What stood here was pruned away. */
export const forgotten: Place = { run: pruningRun, n: 0 };

/** What a store must hold after a sequence of commits. A record's version is the position of the commit that wrote it. */
export class Model {
  readonly #records = new Map<string, StoredRecord>();
  /** Of the last commit that this model knows of. */
  #position = 0;

  readonly versionOf = ({ text }: RecordKey): Version => this.#records.get(text)?.version ?? 0;

  /** The next commit. */
  apply(changes: readonly Change[]): void {
    this.#position += 1;
    for (const { key, value } of changes) {
      if (value === null) this.#records.delete(key.text);
      else this.#records.set(key.text, { key, version: this.#position, value });
    }
  }

  /** Takes over what a store holds. */
  load(records: Iterable<StoredRecord>): void {
    for (const record of records) this.#records.set(record.key.text, record);
  }

  /** The next commit gets the position behind this one. */
  standAt(position: number): void {
    this.#position = position;
  }

  forget({ text }: RecordKey): void {
    this.#records.delete(text);
  }

  place({ run, n }: Place): void {
    this.apply(run === pruningRun ? [] : planCommit(run, n, this.versionOf).changes);
  }

  /** Kind by kind in the order of keys; `textOf` of a store's records is the same when they are. */
  text(): string {
    const records = [...this.#records.values()].sort((a, b) => (a.key.text < b.key.text ? -1 : 1));
    return kinds
      .flatMap((kind) => records.filter(({ key }) => key.kind.name === kind.name))
      .map(recordText)
      .join("\n");
  }
}

export function recordText({ key, version, value }: StoredRecord): string {
  return `${key.text} ${version} ${JSON.stringify(value)}`;
}

/** Undefined when `places` are what complete runs leave: each run's commits in order, none missing but the refused ones. */
export function gapIn(places: readonly Place[], mayMiss: (place: Place) => boolean = () => false): string | undefined {
  const model = new Model();
  const lastOf = new Map<number, number>();
  for (const [index, place] of places.entries()) {
    if (place.run === pruningRun) {
      model.place(place);
      continue;
    }
    for (let n = (lastOf.get(place.run) ?? 0) + 1; n < place.n; n += 1) {
      if (planCommit(place.run, n, model.versionOf).refused || mayMiss({ run: place.run, n })) continue;
      return `position ${index + 1} holds commit ${place.n} of run ${place.run}, but commit ${n} is missing`;
    }
    if (place.n <= (lastOf.get(place.run) ?? 0))
      return `position ${index + 1} repeats commit ${place.n} of run ${place.run}`;
    const planned = planCommit(place.run, place.n, model.versionOf);
    if (planned.refused)
      return `position ${index + 1} holds commit ${place.n} of run ${place.run}, which had to be refused`;
    lastOf.set(place.run, place.n);
    model.apply(planned.changes);
  }
  return undefined;
}
