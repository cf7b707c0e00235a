import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { openSqliteTelemetry, type Telemetry } from "@gatehouse/store/telemetry";
import { type Outcome, type Scenario, Tally } from "../support/scenario.ts";
import { inScratch } from "../support/scratch.ts";
import type { Settings } from "../support/suite-settings.ts";
import { askQuestions } from "./ask-questions.ts";
import { harms } from "./harms.ts";
import { begin, dayMs, linesOfBatch, MadeUpLines } from "./made-up-lines.ts";

const mib = 1024 * 1024;
/** Small parts, so that searches go over many of them. */
const limits = { logPartBytes: 4 * mib, logPieceLines: 100_000 };
/** A part is at least a 512th of it. */
const usualLimit = 2 * 1024 * mib;
/** What is left in the end. */
const smallLimit = 10 * mib;

/** Lines of three days through the real adapter, and every answer beside that of a look at all of them. */
export const searchScenario: Scenario<"load:logs"> = {
  name: "search",
  run: (settings) => inScratch((directory) => new SearchedLines(settings, `${directory}/telemetry.db`).run()),
};

class SearchedLines {
  readonly #tally = new Tally();
  readonly #seed: number;
  readonly #searches: number;
  readonly #path: string;
  readonly #lines: MadeUpLines;
  #now = begin;
  #tick = (): void => undefined;

  constructor({ seed, counts }: Settings<"load:logs">, path: string) {
    this.#seed = seed;
    this.#searches = counts.searches;
    this.#path = path;
    this.#lines = new MadeUpLines({ seed, lines: counts.lines, nodes: 20, days: 3 });
  }

  async run(): Promise<Outcome> {
    const telemetry = this.#open({});
    await this.#write(telemetry);
    await this.#ask(telemetry, 0, this.#searches);
    await telemetry.close();
    await this.#forgetDays();
    await this.#forgetBytes();
    return this.#tally.outcome();
  }

  #open(more: { readonly keepLogsMs?: number; readonly mostLogBytes?: number }): Telemetry {
    return openSqliteTelemetry({
      path: this.#path,
      clock: { now: () => this.#now },
      every: (_, act) => {
        this.#tick = act;
        return () => undefined;
      },
      onWarning: (message) => this.#tally.fail(`a warning: ${message}`),
      limits,
      mostLogBytes: usualLimit,
      ...more,
    });
  }

  async #write(telemetry: Telemetry): Promise<void> {
    const batches = Math.ceil(this.#lines.count / linesOfBatch);
    const started = performance.now();
    const underWay = new Set<Promise<void>>();
    for (let n = 0; n < batches; n += 1) {
      const { batch, now } = this.#lines.batch(n);
      // Each is written at its time: the clock stands still until those before it are.
      if (Math.floor(now / dayMs) !== Math.floor(this.#now / dayMs) || underWay.size >= 20) {
        await Promise.all(underWay);
        underWay.clear();
      }
      this.#now = now;
      underWay.add(
        telemetry.putLogs(batch).then((isKept) => {
          if (!isKept) this.#tally.fail(`batch ${n} was not kept`, harms.lost);
        }),
      );
    }
    await Promise.all(underWay);
    this.#tally.count("lines", this.#lines.count);
    const perSecond = (this.#lines.count / (performance.now() - started)) * 1_000;
    this.#tally.notes.push(`${Math.round(perSecond).toLocaleString("en")} lines/s with those who make them up`);
    this.#tally.notes.push(`${Math.round(statSync(this.#path).size / this.#lines.count)} bytes for each`);
  }

  async #ask(telemetry: Telemetry, oldest: number, searches: number): Promise<void> {
    await askQuestions({ telemetry, lines: this.#lines, oldest, searches, seed: this.#seed, tally: this.#tally });
  }

  /** After a restart: what arrived on the first day goes, all of it, and nothing of the others. */
  async #forgetDays(): Promise<void> {
    const telemetry = this.#open({ keepLogsMs: dayMs });
    this.#now = begin + 3 * dayMs;
    const oldest = await this.#settled(telemetry);
    const [last = 0, first = 0] = this.#lines.arrived.subarray(oldest - 1, oldest + 1);
    const before = this.#now - dayMs;
    this.#tally.count("lines that were too old", oldest);
    if (last >= before) this.#tally.fail(`line ${oldest - 1} was removed, and was not too old`, harms.wrong);
    if (first < before - dayMs) this.#tally.fail(`line ${oldest} is left, and was too old a day ago`, harms.wrong);
    await this.#ask(telemetry, oldest, this.#searches / 4);
    await telemetry.close();
  }

  /** After another: only so much may be kept. */
  async #forgetBytes(): Promise<void> {
    const telemetry = this.#open({ mostLogBytes: smallLimit });
    const oldest = await this.#settled(telemetry);
    await this.#ask(telemetry, oldest, this.#searches / 4);
    if ((await telemetry.logCheckpoint("node_0")) === undefined)
      this.#tally.fail("a host's place was forgotten", harms.lost);
    await telemetry.close();
    const db = new DatabaseSync(this.#path, { readOnly: true });
    const { used } = db
      .prepare(
        "SELECT (page_count - freelist_count) * page_size AS used FROM pragma_page_count, pragma_freelist_count, pragma_page_size",
      )
      .get() as { used: number };
    db.close();
    this.#tally.notes.push(`${(used / mib).toFixed(0)} MiB are left of a limit of ${smallLimit / mib}`);
    if (used > smallLimit + mib) this.#tally.fail(`${used} bytes are taken, at most ${smallLimit}`, harms.wrong);
  }

  /** Removes what is to go, and says which line is the oldest then. Between three answers that are alike a removal came to its end. */
  async #settled(telemetry: Telemetry): Promise<number> {
    const oldestNow = async () => {
      const { items } = await telemetry.searchLogs({ after: 0, limit: 1 });
      return items[0] === undefined ? this.#lines.count : MadeUpLines.numberOf(items[0]);
    };
    let oldest = -1;
    for (let alike = 0; alike < 3; ) {
      this.#tick();
      const next = await oldestNow();
      alike = next === oldest ? alike + 1 : 0;
      oldest = next;
    }
    return oldest;
  }
}
