import type { Minute } from "@gatehouse/store/telemetry";
import { percentile } from "../support/percentile.ts";
import { Random } from "../support/random.ts";
import { type Outcome, type Scenario, Tally } from "../support/scenario.ts";
import { inScratch } from "../support/scratch.ts";
import type { Settings } from "../support/suite-settings.ts";
import { findLostValues, type ToldHour } from "./find-lost-values.ts";
import { harms } from "./harms.ts";
import { lookAt, PacedTelemetry } from "./paced-telemetry.ts";
import { SimulatedHost } from "./simulated-host.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const begin = Date.UTC(2026, 0, 1);
/** As they are written in a server; before that an hour is written whole, which gives the same rows in a sixth of the time. */
const hoursByTheMinute = 12;
const mostBytes = 600;
const sampledHours = 300;
const drawnNodes = 15;

type MonthSettings = Settings<"load:telemetry">;

/** Some hosts for a month: what it costs, whether all of it is there, and whether exactly what is too old goes. */
export const monthScenario: Scenario<"load:telemetry"> = {
  name: "month",
  run: (settings) => inScratch((directory) => new Month(settings, `${directory}/telemetry.db`).run()),
};

class Month {
  readonly #path: string;
  readonly #tally = new Tally();
  readonly #hours: number;
  readonly #hosts: readonly { readonly node: string; readonly host: SimulatedHost }[];
  /** How many nodes have measured something, hour by hour. */
  readonly #expected = new Map<number, number>();
  readonly #sampled: ToldHour[] = [];
  readonly #random: Random;
  readonly #ticks: number[] = [];

  constructor({ seed, counts }: MonthSettings, path: string) {
    this.#path = path;
    this.#hours = counts.days * 24;
    this.#random = new Random(seed, 1_000_000);
    this.#hosts = Array.from({ length: counts.nodes }, (_, n) => ({
      node: `node_${n.toString(36).padStart(20, "0")}`,
      host: new SimulatedHost(seed, n, begin),
    }));
  }

  async run(): Promise<Outcome> {
    const tally = this.#tally;
    await this.#write();
    const { bytes, hours } = lookAt(this.#path);
    const rows = this.#compareHours(hours, 0, "after they were written");
    const each = bytes / Math.max(rows, 1);
    tally.count("hours of nodes", rows);
    tally.count("bytes for each", Math.round(each));
    if (each > mostBytes)
      tally.fail(`an hour of a node takes ${each.toFixed(0)} bytes of the file, at most ${mostBytes}`);
    await this.#read();
    await this.#forget();
    return tally.outcome();
  }

  async #write(): Promise<void> {
    const telemetry = this.#open(begin);
    const { port, clock } = telemetry;
    for (let hour = 0; hour < this.#hours; hour += 1) {
      const told = this.#tellHour(begin + hour * hourMs);
      const minuteByMinute = hour >= this.#hours - hoursByTheMinute;
      for (const minutes of told) {
        port.measure(minutes);
        clock.advance(minuteMs);
        if (!minuteByMinute) continue;
        const started = performance.now();
        await telemetry.tick();
        this.#ticks.push(performance.now() - started);
      }
      if (!minuteByMinute) await port.flush();
    }
    await port.close();
    if (port.dropped() > 0) this.#tally.fail(`${port.dropped()} minutes were dropped`, harms.uncounted);
    this.#note("a minute's write", this.#ticks);
    for (const warning of telemetry.warnings) this.#tally.fail(warning);
  }

  /** What all hosts say, minute by minute; some hours are noted. */
  #tellHour(at: number): Minute[][] {
    const byMinute: Minute[][] = Array.from({ length: 60 }, () => []);
    let nodes = 0;
    for (const { node, host } of this.#hosts) {
      const minutes = byMinute.flatMap((told, n): Minute[] => {
        const values = host.measure(at + n * minuteMs);
        if (values === undefined) return [];
        const minute = { node, at: at + n * minuteMs, values };
        told.push(minute);
        return [minute];
      });
      this.#tally.count("minutes", minutes.length);
      if (minutes.length > 0) nodes += 1;
      if (!this.#random.chance(sampledHours / (this.#hours * this.#hosts.length))) continue;
      this.#sampled.push({ node, begin: at, minutes: new Map(minutes.map((minute) => [minute.at, minute.values])) });
    }
    this.#expected.set(at / hourMs, nodes);
    return byMinute;
  }

  async #read(): Promise<void> {
    const { port } = this.#open(begin + this.#hours * hourMs);
    for (const told of this.#sampled) {
      for (const lost of await findLostValues(port, told)) this.#tally.fail(lost, harms.wrong);
    }
    this.#tally.count("hours compared", this.#sampled.length);
    const to = begin + this.#hours * hourMs;
    const day: number[] = [];
    const all: number[] = [];
    for (const { node } of this.#hosts.slice(0, drawnNodes)) {
      day.push(await timeOf(() => port.measured({ node, from: to - dayMs, to, stepMs: minuteMs })));
      all.push(await timeOf(() => port.measured({ node, from: begin, to, stepMs: 30 * minuteMs })));
    }
    this.#note("a day's chart", day);
    this.#note(`a chart of ${this.#hours / 24} days`, all);
    await port.close();
  }

  /** A third of the month becomes too old. */
  async #forget(): Promise<void> {
    const gone = Math.floor(this.#hours / 3);
    const telemetry = this.#open(begin + (gone + this.#hours) * hourMs + 59 * minuteMs);
    await telemetry.tick();
    for (const told of this.#sampled) {
      const isGone = told.begin < begin + gone * hourMs;
      const expected = isGone ? { ...told, minutes: new Map() } : told;
      for (const lost of await findLostValues(telemetry.port, expected)) this.#tally.fail(lost, harms.wrong);
    }
    await telemetry.port.close();
    const { bytes, hours } = lookAt(this.#path);
    this.#tally.count("hours left", this.#compareHours(hours, gone, "after the old ones were removed"));
    this.#tally.notes.push(`${(bytes / 1e6).toFixed(1)} MB when the old ones are gone`);
  }

  #open(now: number): PacedTelemetry {
    return new PacedTelemetry({ path: this.#path, now, keepMinutesMs: this.#hours * hourMs });
  }

  /** Returns how many there should be. */
  #compareHours(found: ReadonlyMap<number, number>, gone: number, when: string): number {
    let sum = 0;
    for (const [hour, nodes] of this.#expected) {
      const expected = hour < begin / hourMs + gone ? 0 : nodes;
      sum += expected;
      const rows = found.get(hour) ?? 0;
      if (rows === expected) continue;
      this.#tally.fail(`hour ${hour} ${when}: expected rows of ${expected} nodes, found ${rows}`, harms.uncounted);
    }
    const strange = [...found.keys()].filter((hour) => !this.#expected.has(hour));
    if (strange.length > 0) this.#tally.fail(`hours that nobody has measured: ${strange.join(", ")}`, harms.uncounted);
    return sum;
  }

  #note(what: string, times: readonly number[]): void {
    const [half, most] = [percentile(times, 0.5), percentile(times, 0.99)].map((ms) => ms.toFixed(1));
    this.#tally.notes.push(`${what} p50 ${half} ms, p99 ${most} ms`);
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
