import type { RecordKey } from "@gatehouse/contract/records";
import type { FileStore } from "@gatehouse/store";
import { Model, type Place } from "./model.ts";
import { planCommit } from "./planned-commits.ts";

const patience = 100;

/** Commits to a store until its disk is full, and remembers every answer. */
export class Filling {
  readonly acknowledged = new Map<number, Place>();
  readonly refused = new Set<number>();
  readonly #store: FileStore;
  readonly #run: number;
  readonly #model = new Model();
  #n = 0;

  constructor(store: FileStore, run: number) {
    this.#store = store;
    this.#run = run;
  }

  /** Commits in small bursts until one is refused; returns the refusal, or undefined when the disk takes them all. */
  async fill(bursts: number): Promise<unknown> {
    for (let burst = 0; burst < bursts; burst += 1) {
      const answers = await Promise.allSettled(Array.from({ length: 1 + (burst % 4) }, () => this.#submit()));
      const refusal = answers.find((answer) => answer.status === "rejected");
      if (refusal !== undefined) return refusal.reason;
    }
    return undefined;
  }

  /** On a disk in memory: a store that asks for space after a refusal has its answer within a few turns. */
  async recovers(): Promise<boolean> {
    for (let attempt = 0; attempt < patience; attempt += 1) {
      if (await this.tryAgain()) return true;
      await new Promise(setImmediate);
    }
    return false;
  }

  tryAgain(): Promise<boolean> {
    return this.#submit().then(
      () => true,
      () => false,
    );
  }

  /** Plans against what the store holds: after a refusal the versions that were hoped for never came. */
  async #submit(): Promise<void> {
    this.#n += 1;
    const n = this.#n;
    const planned = planCommit(this.#run, n, this.#model.versionOf);
    if (planned.refused) return;
    this.#model.apply(planned.changes);
    try {
      const { version } = await this.#store.commit(planned.entry, planned.changes, planned.expects);
      this.acknowledged.set(version, { run: this.#run, n });
    } catch (error) {
      this.refused.add(n);
      this.#model.standAt((await this.#store.head()).position);
      for (const { key } of planned.changes) await this.#restore(key);
      throw error;
    }
  }

  async #restore(key: RecordKey): Promise<void> {
    const record = await this.#store.get(key);
    this.#model.forget(key);
    if (record !== undefined) this.#model.load([record]);
  }
}
