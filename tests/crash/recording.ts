import { isFault } from "@gatehouse/contract";
import { auditFloorKey } from "@gatehouse/contract/records";
import { faultyVfs } from "@gatehouse/files/faulty";
import { Random } from "../support/random.ts";
import { forgotten, gapIn, Model, type Place, pruningRun } from "./model.ts";
import { planCommit } from "./planned-commits.ts";
import { readBack } from "./read-back.ts";
import { passIdleTime } from "./stopped-clock.ts";
import { abandon, directory, Machine, type Running } from "./simulated-store.ts";

/** One life of a store on a disk that remembers everything, and what was promised to whom at which moment. */
export interface Recording {
  readonly machine: Machine;
  readonly checkpointBytes: number;
  /** The planned commit at each position, as it ended up. */
  readonly places: readonly Place[];
  /** What the store holds after each position; the first is empty. */
  readonly texts: readonly string[];
  /** The highest position that somebody was told of before operation `op` was over. */
  promisedAt(op: number): number;
}

/** Wants a thread whose clock was stopped: then the same seed gives the same life. */
export async function record(seed: number): Promise<Recording> {
  const random = new Random(seed);
  const disk = faultyVfs({
    // Half of the directories exist already, as a mounted volume does.
    directories: random.chance(0.5) ? [directory] : [],
    syncPause: async () => {
      for (let turns = random.below(3); turns > 0; turns -= 1) await new Promise(setImmediate);
    },
  });
  const life = new Life(new Machine(disk), random, seed);
  await life.live();
  return life.recording();
}

class Life {
  readonly #machine: Machine;
  readonly #random: Random;
  readonly #seed: number;
  readonly #checkpointBytes: number;
  readonly #promises: { op: number; position: number }[] = [];
  readonly #refused = new Set<string>();
  /** Since then the model hopes for versions that the store does not have. */
  #wasFull = false;
  /** All that was ever acknowledged or found, also what was pruned later. */
  readonly #places: Place[] = [];

  constructor(machine: Machine, random: Random, seed: number) {
    this.#machine = machine;
    this.#random = random;
    this.#seed = seed;
    this.#checkpointBytes = 800 + random.below(8_000);
  }

  async live(): Promise<void> {
    const processes = 1 + this.#random.below(3);
    for (let process = 1; process <= processes; process += 1) {
      const lifetime = process < processes || this.#random.chance(0.3) ? 5 + this.#random.below(200) : Infinity;
      const running = await this.#machine.start({ checkpointBytes: this.#checkpointBytes, lifetime });
      if (running === undefined) continue;
      await Promise.race([running.process.died, this.#work(running, this.#seed * 8 + process)]);
      abandon(running);
    }
    const last = await this.#machine.start({ checkpointBytes: this.#checkpointBytes });
    if (last === undefined) throw new Error("a process without an end did not start");
    this.#promise((await last.store.head()).position);
    await this.#remember(last);
    await last.store.close();
  }

  /** One process: bursts of commits, checkpoints in between, now and then a full disk. */
  async #work(running: Running, run: number): Promise<void> {
    const { store } = running;
    const random = this.#random;
    this.#promise((await store.head()).position);
    await this.#remember(running);
    const model = new Model();
    for (const place of this.#places) model.place(place);
    this.#wasFull = false;
    const bursts = 3 + random.below(12);
    let n = 0;
    for (let burst = 0; burst < bursts; burst += 1) {
      if (random.chance(0.03)) this.#machine.disk.failNext("write", 1 + random.below(3), "ENOSPC");
      const size = random.pick([1, 1, 2, 3, 8, 20]);
      const answers: Promise<boolean>[] = [];
      for (let commit = 0; commit < size && !this.#wasFull; commit += 1) {
        n += 1;
        answers.push(this.#submit(running, { run, n }, model));
        if (random.chance(0.2)) await new Promise(setImmediate);
      }
      const checkpoint = random.chance(0.15) ? store.checkpoint().catch(() => undefined) : undefined;
      const answered = await Promise.all([...answers, checkpoint]);
      if (random.chance(0.05)) await this.#prune(running, model);
      if (random.chance(0.1)) passIdleTime();
      // After a full disk the versions are what the store says, not what was hoped for; a new process is the honest way.
      if (answered.includes(false)) break;
    }
    if (random.chance(0.7)) await store.close();
  }

  /** False when the disk was full. */
  async #submit({ store, process }: Running, place: Place, model: Model): Promise<boolean> {
    const planned = planCommit(place.run, place.n, model.versionOf);
    if (!planned.refused) model.apply(planned.changes);
    try {
      const { version: position } = await store.commit(planned.entry, planned.changes, planned.expects);
      if (planned.refused) throw new Error(`commit ${place.n} of run ${place.run} had to be refused`);
      this.#places[position - 1] = place;
      this.#promise(position);
      return true;
    } catch (error) {
      if (process.dead) return false;
      if (planned.refused && isFault(error, "store.conflict")) return true;
      this.#refused.add(`${place.run} ${place.n}`);
      // Before a disk was full, the model knows every version: a conflict is then nobody's plan.
      const isHopeless = this.#wasFull && isFault(error, "store.conflict");
      this.#wasFull = true;
      if (isHopeless || isFault(error, "store.disk_full")) return false;
      throw error;
    }
  }

  async #prune({ store, process }: Running, model: Model): Promise<void> {
    const { position: head } = await store.head();
    try {
      const { version: position } = await store.pruneAudit({ actor: "system", at: 1 }, this.#random.below(head + 1));
      const floor = (await store.get(auditFloorKey))?.value;
      const place = { run: pruningRun, n: Number(floor?.position) };
      this.#places[position - 1] = place;
      model.place(place);
      this.#promise(position);
    } catch (error) {
      // Nothing is archived that far, or the disk is full.
      if (!process.dead && !isFault(error, "store.malformed") && !isFault(error, "store.disk_full")) throw error;
    }
  }

  async #remember({ store }: Running): Promise<void> {
    const { places } = await readBack(store);
    if (places.length < this.#places.length)
      throw new Error(`${this.#places.length} were acknowledged, ${places.length} are there`);
    for (const [index, { run, n }] of places.entries()) {
      if (run === forgotten.run && n === forgotten.n) continue;
      const known = (this.#places[index] ??= { run, n });
      if (known.run !== run || known.n !== n)
        throw new Error(`position ${index + 1} was acknowledged as something else`);
    }
  }

  #promise(position: number): void {
    const op = this.#machine.disk.ops;
    const highest = Math.max(position, this.#promises.at(-1)?.position ?? 0);
    this.#promises.push({ op, position: highest });
  }

  recording(): Recording {
    const places = this.#places;
    const gap = gapIn(places, ({ run, n }) => this.#refused.has(`${run} ${n}`));
    if (gap !== undefined) throw new Error(gap);
    const model = new Model();
    const texts = [model.text()];
    for (const place of places) {
      model.place(place);
      texts.push(model.text());
    }
    return {
      machine: this.#machine,
      checkpointBytes: this.#checkpointBytes,
      places,
      texts,
      promisedAt: (op) => this.#promises.findLast((promise) => promise.op <= op)?.position ?? 0,
    };
  }
}
