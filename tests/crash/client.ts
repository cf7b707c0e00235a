import { writeSync } from "node:fs";
import { isFault } from "@gatehouse/contract";
import { type FileStore, openFileStore } from "@gatehouse/store";
import { inventedKinds } from "../support/invented-kinds.ts";
import { Model } from "./model.ts";
import { kinds, planCommit } from "./planned-commits.ts";

/**
 * One line to whoever started this process. Written at once: what was said before a kill was said.
 * The index's thread makes standard output non-blocking, so a reader that is behind is waited for here.
 */
export function say(line: string): void {
  let rest = Buffer.from(`${line}\n`);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(pause, 0, 0, 1);
    }
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Submits the planned commits of one run and says what became of each. */
export class Client {
  readonly store: FileStore;
  readonly #run: number;
  readonly #model: Model;
  #n = 0;

  private constructor(store: FileStore, run: number, model: Model) {
    this.store = store;
    this.#run = run;
    this.#model = model;
  }

  static async open(directory: string, run: number, checkpointBytes: number): Promise<Client> {
    const store = await openFileStore({ directory, kinds: inventedKinds, checkpointBytes });
    const model = new Model();
    for (const kind of kinds) model.load(await store.list(kind, { limit: 1_000 }));
    const { position } = await store.head();
    model.standAt(position);
    say(`open ${position}`);
    return new Client(store, run, model);
  }

  /** The next planned commit. Resolves when its fate is known and said; false when it was not made. */
  async submit(): Promise<boolean> {
    this.#n += 1;
    const n = this.#n;
    const planned = planCommit(this.#run, n, this.#model.versionOf);
    if (!planned.refused) this.#model.apply(planned.changes);
    try {
      const { version } = await this.store.commit(planned.entry, planned.changes, planned.expects);
      say(`ack ${version} ${this.#run} ${n}`);
      return true;
    } catch (error) {
      if (planned.refused && isFault(error, "store.conflict")) return true;
      say(`refused ${this.#run} ${n} ${isFault(error) ? error.code : String(error)}`);
      return false;
    }
  }

  async submitMany(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.submit()));
  }
}
