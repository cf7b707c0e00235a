import { statfsSync, statSync } from "node:fs";
import { openFileStore } from "@gatehouse/store";
import { type LogQuery, openSqliteTelemetry, type Telemetry } from "@gatehouse/store/telemetry";
import { median, percentile } from "../support/percentile.ts";
import { Random } from "../support/random.ts";
import { type Outcome, type Scenario, Tally } from "../support/scenario.ts";
import { inScratch } from "../support/scratch.ts";
import type { Settings } from "../support/suite-settings.ts";
import { inventedEntry } from "../support/invented-entry.ts";
import { harms } from "./harms.ts";
import { begin, dayMs, linesOfBatch } from "./made-up-lines.ts";
import { RealisticLines } from "./realistic-lines.ts";
import { openBareLogs } from "./write-barely.ts";

const pairs = 5;
const pairBatches = 200;
const days = 13;
const nodes = Array.from({ length: 200 }, (_, n) => `node_${n}`);
/** On the disk for each line, with room for the log of writes. */
const roomBytes = 600;
const auditEntries = 100_000;
/** How long one turn is, and how many there are of each kind. */
const besideMs = 3_000;
const besideTurns = 10;

/** What it costs; nothing of it decides (decision 0006). */
export function figuresScenario(lines: number | undefined): Scenario<"load:logs"> {
  return {
    name: "figures",
    run: async (settings) => {
      const tally = new Tally();
      const count = lines ?? settings.counts.measured;
      if (count === 0) {
        tally.notes.push("in the whole form only");
        return tally.outcome();
      }
      return inScratch((directory) => new Figures(settings, directory, count).run());
    },
  };
}

class Figures {
  readonly #tally = new Tally();
  readonly #random: Random;
  readonly #directory: string;
  readonly #count: number;
  readonly #made: RealisticLines;
  #now = begin;

  constructor({ seed }: Settings<"load:logs">, directory: string, count: number) {
    this.#random = new Random(seed, 2);
    this.#made = new RealisticLines(seed);
    this.#directory = directory;
    this.#count = count;
  }

  async run(): Promise<Outcome> {
    const { bavail, bsize } = statfsSync(this.#directory);
    if (bavail * bsize < this.#count * roomBytes) throw new Error(`${this.#count} lines need more room than there is`);
    await this.#besideBare();
    const telemetry = this.#open("telemetry.db");
    await this.#fill(telemetry);
    await this.#search(telemetry);
    await this.#besideAudit(telemetry);
    await telemetry.close();
    return this.#tally.outcome();
  }

  #open(name: string): Telemetry {
    return openSqliteTelemetry({
      path: `${this.#directory}/${name}`,
      clock: { now: () => this.#now },
      every: () => () => undefined,
      onWarning: (message) => this.#tally.fail(`a warning: ${message}`),
      mostLogBytes: 1024 ** 4,
      // As with the usual limit.
      limits: { logPartBytes: 32 * 1024 ** 2 },
    });
  }

  #tell(figure: string): void {
    console.log(`  ${figure}`);
    this.#tally.notes.push(figure);
  }

  async #besideBare(): Promise<void> {
    const telemetry = this.#open("ours.db");
    const bare = openBareLogs(`${this.#directory}/bare.db`);
    const rates: { readonly ours: number; readonly bare: number }[] = [];
    await telemetry.logCheckpoint("node_0");
    for (let pair = 0; pair < pairs; pair += 1) {
      const batches = Array.from({ length: pairBatches }, () => this.#made.batch(this.#random.pick(nodes), this.#now));
      const rateOf = async (write: () => unknown): Promise<number> => {
        const started = performance.now();
        await write();
        return (pairBatches * linesOfBatch * 1_000) / (performance.now() - started);
      };
      const ours = () => rateOf(() => Promise.all(batches.map((batch) => telemetry.putLogs(batch))));
      const barely = () =>
        rateOf(() => {
          for (const batch of batches) bare.write(batch);
        });
      const first = pair % 2 === 0 ? await ours() : await barely();
      const second = pair % 2 === 0 ? await barely() : await ours();
      rates.push(pair % 2 === 0 ? { ours: first, bare: second } : { ours: second, bare: first });
    }
    bare.close();
    await telemetry.close();
    const ours = Math.round(median(rates.map((rate) => rate.ours)));
    const barely = Math.round(median(rates.map((rate) => rate.bare)));
    const ratio = median(rates.map((rate) => rate.ours / rate.bare)).toFixed(2);
    this.#tell(
      `${ours.toLocaleString("en")} lines/s beside ${barely.toLocaleString("en")} of bare node:sqlite: ratio ${ratio} (goal at least 0.7)`,
    );
  }

  async #fill(telemetry: Telemetry): Promise<void> {
    const batches = Math.ceil(this.#count / linesOfBatch);
    const started = performance.now();
    const waits: number[] = [];
    for (let n = 0; n < batches; n += 20) {
      const some = Array.from({ length: Math.min(20, batches - n) }, () =>
        this.#made.batch(this.#random.pick(nodes), this.#now),
      );
      const began = performance.now();
      const kept = await Promise.all(some.map((batch) => telemetry.putLogs(batch)));
      waits.push((performance.now() - began) / some.length);
      if (kept.includes(false)) this.#tally.fail(`a batch at ${n} was not kept`, harms.lost);
      this.#now = begin + Math.floor(((n + 20) / batches) * days * dayMs);
    }
    const seconds = (performance.now() - started) / 1_000;
    this.#tally.count("lines", batches * linesOfBatch);
    const { size } = statSync(`${this.#directory}/telemetry.db`);
    this.#tell(
      `${this.#count.toLocaleString("en")} lines in ${Math.round(seconds)} s, ${(size / 1e9).toFixed(2)} GB, ${Math.round(size / this.#count)} bytes for each; a batch of ${linesOfBatch} p50 ${percentile(waits, 0.5).toFixed(1)} ms, p99 ${percentile(waits, 0.99).toFixed(1)} ms`,
    );
  }

  async #search(telemetry: Telemetry): Promise<void> {
    const random = this.#random;
    const node = () => ({ nodes: [random.pick(nodes)] });
    const address = () => `10.${random.below(256)}.${random.below(256)}`;
    const stretch = () => {
      const from = begin + random.below(days * dayMs);
      return { from, to: from + 3_600_000 };
    };
    const kinds: readonly (readonly [name: string, rounds: number, goal: string, query: () => Partial<LogQuery>])[] = [
      ["newest 50", 1_000, "p99 at most 10 ms", () => ({})],
      ["newest 50 of a node", 500, "p99 at most 100 ms", node],
      ["newest 50 with a word of many", 200, "", () => ({ words: ["error"] })],
      ["newest 50 of a node with a word of many", 200, "", () => ({ ...node(), words: ["timeout"] })],
      ["newest 50 of an address", 50, "", () => ({ words: [address()] })],
      ["newest 50 with a word of none", 50, "", () => ({ words: [`x${random.below(1e9)}`] })],
      ["newest 50 with one letter", 30, "", () => ({ words: [random.pick(["1", "a", "e"])] })],
      ["newest 50 errors", 200, "", () => ({ level: 3 })],
      ["newest 50 of an hour long ago", 200, "", stretch],
      [
        "newest 50 of an hour long ago and a node, with a word",
        200,
        "",
        () => ({ ...stretch(), ...node(), words: ["error"] }),
      ],
    ];
    for (const [name, rounds, goal, query] of kinds) {
      const took = await timed(rounds, () => telemetry.searchLogs({ limit: 50, ...query() }));
      this.#tell(`${name}: ${took}${goal === "" ? "" : ` (goal: ${goal})`}`);
    }
    const to = Math.ceil(this.#now / dayMs) * dayMs;
    const hours = () => telemetry.countLogs({ from: to - 14 * dayMs, to, stepMs: 6 * 3_600_000 });
    this.#tell(`14 days in bars of six hours: ${await timed(20, hours)}`);
    const minutes = () => telemetry.countLogs({ from: to - dayMs, to: to - dayMs + 3_600_000, stepMs: 60_000 });
    this.#tell(`an hour in bars of a minute: ${await timed(50, minutes)}`);
  }

  /** The audit log has a thread of its own; what they share is the disk and the processors. */
  async #besideAudit(telemetry: Telemetry): Promise<void> {
    const store = await openFileStore({ directory: `${this.#directory}/data` });
    let last: Promise<unknown> = Promise.resolve();
    for (let n = 0; n < auditEntries; n += 1) {
      last = store.commit(
        inventedEntry({ at: n, actor: `usr_${n % 50}`, action: "node.seen", subject: `node/${nodeId(n)}` }),
      );
      if (n % 1_000 === 0) await last;
    }
    await last;
    // What people look for: a host by its id, wherever it stands, what was done to it, and what somebody did.
    const search = () => {
      const node = nodeId(this.#random.below(1_000));
      const queries = [{ text: node }, { subject: `node/${node}` }, { actor: `usr_${this.#random.below(50)}` }];
      return store.searchAudit({ limit: 50, ...this.#random.pick(queries) });
    };
    this.#tell(`audit search among ${auditEntries.toLocaleString("en")} entries: ${await timed(500, search)}`);
    // Made beforehand: making them takes more of this process than sending them does.
    const batches = Array.from({ length: 400 }, () => this.#made.batch(this.#random.pick(nodes), this.#now));
    const newest = () => telemetry.searchLogs({ limit: 50, nodes: [this.#random.pick(nodes)] });
    const quiet: Beside = { audits: [], newest: [], written: 0, ms: 0 };
    const busy: Beside = { audits: [], newest: [], written: 0, ms: 0 };
    // In turns, so that what else the machine does falls on both.
    for (let turn = 0; turn < besideTurns; turn += 1) {
      await beside(quiet, { search, newest, put: undefined });
      await beside(busy, { search, newest, put: (n) => telemetry.putLogs(batches[n % batches.length] ?? never()) });
    }
    await store.close();
    const rate = Math.round(busy.written / (busy.ms / 1_000)).toLocaleString("en");
    this.#tell(
      `while ${rate} lines/s arrive for ${Math.round(busy.ms / 1_000)} s: audit search ${shown(busy.audits)} (goal: p99 at most 50 ms; ${shown(quiet.audits)} in turns without lines), newest 50 of a node ${shown(busy.newest)} (${shown(quiet.newest)})`,
    );
  }
}

interface Beside {
  readonly audits: number[];
  readonly newest: number[];
  written: number;
  ms: number;
}

interface BesideWork {
  readonly search: () => Promise<unknown>;
  readonly newest: () => Promise<unknown>;
  readonly put: ((n: number) => Promise<unknown>) | undefined;
}

/** One turn: searches at the pace of a few people, and lines at 10,000 a second where lines are put. */
async function beside(sums: Beside, { search, newest, put }: BesideWork): Promise<void> {
  const state = { isOver: false };
  const started = performance.now();
  let written = 0;
  const write = async (put: (n: number) => Promise<unknown>) => {
    while (!state.isOver) {
      const due = ((performance.now() - started) / 1_000) * 10_000;
      if (written >= due) await new Promise((resolve) => setTimeout(resolve, 5));
      else {
        await put((sums.written + written) / linesOfBatch);
        written += linesOfBatch;
      }
    }
  };
  const writing = put === undefined ? Promise.resolve() : write(put);
  while (performance.now() - started < besideMs) {
    sums.audits.push(await msOf(search));
    sums.newest.push(await msOf(newest));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  state.isOver = true;
  await writing;
  sums.written += written;
  sums.ms += performance.now() - started;
}

function never(): never {
  throw new Error("there are no batches");
}

function nodeId(n: number): string {
  return ((n % 1_000) * 2_654_435_761 + 36 ** 9).toString(36);
}

async function timed(rounds: number, work: () => Promise<unknown>): Promise<string> {
  const took: number[] = [];
  for (let n = 0; n < rounds; n += 1) took.push(await msOf(work));
  return shown(took);
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function shown(took: readonly number[]): string {
  return `p50 ${percentile(took, 0.5).toFixed(1)} ms, p99 ${percentile(took, 0.99).toFixed(1)} ms`;
}
