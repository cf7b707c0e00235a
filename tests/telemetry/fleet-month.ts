import { statSync } from "node:fs";
import type { Minute } from "@gatehouse/store/telemetry";
import { openDatabase } from "../../packages/store/src/database/open-database.ts";
import { transaction } from "../../packages/store/src/database/transaction.ts";
import { openHourTable } from "../../packages/store/src/telemetry/hour-table.ts";
import { emptyHour, packHour, putMinute } from "../../packages/store/src/telemetry/pack-hour.ts";
import { telemetryFormat } from "../../packages/store/src/telemetry/telemetry-format.ts";
import { percentile } from "../support/percentile.ts";
import { Random } from "../support/random.ts";
import { type Outcome, type Scenario, Tally } from "../support/scenario.ts";
import { inScratch } from "../support/scratch.ts";
import type { Settings } from "../support/suite-settings.ts";
import { lookAt, PacedTelemetry } from "./paced-telemetry.ts";
import { harms } from "./harms.ts";
import { SimulatedHost } from "./simulated-host.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const begin = Date.UTC(2026, 0, 1);
/** So many hosts are simulated; the others have their bytes. */
const distinct = 200;
const mostBytes = 600;
const charts = { day: 500, month: 100 };
/** Two rounds of all turns and a part of the next. */
const liveMinutes = 25;

/** The whole fleet for a month, for figures: how large, how soon written, how soon drawn. */
export const fleetScenario: Scenario<"load:telemetry"> = {
  name: "fleet",
  run: async (settings) => {
    const tally = new Tally();
    if (settings.counts.fleet === 0) {
      tally.notes.push("in the whole form only");
      return tally.outcome();
    }
    return inScratch((directory) => new Fleet(settings, `${directory}/telemetry.db`).run());
  },
};

class Fleet {
  readonly #path: string;
  readonly #tally = new Tally();
  readonly #seed: number;
  readonly #hours: number;
  readonly #nodes: readonly string[];
  readonly #hosts: readonly SimulatedHost[];

  constructor({ seed, counts }: Settings<"load:telemetry">, path: string) {
    this.#path = path;
    this.#seed = seed;
    this.#hours = counts.days * 24;
    this.#nodes = Array.from({ length: counts.fleet }, (_, n) => `node_${n.toString(36).padStart(20, "0")}`);
    this.#hosts = Array.from({ length: Math.min(distinct, counts.fleet) }, (_, n) => new SimulatedHost(seed, n, begin));
  }

  async run(): Promise<Outcome> {
    const tally = this.#tally;
    tally.notes.push(`the bytes of ${this.#hosts.length} simulated hosts, used again for ${this.#nodes.length} nodes`);
    const packed = this.#pack();
    const rows = this.#write(packed);
    tally.count("nodes", this.#nodes.length);
    tally.count("hours of nodes", rows);
    const { bytes, hours } = lookAt(this.#path);
    const found = [...hours.values()].reduce((sum, nodes) => sum + nodes, 0);
    if (found !== rows) tally.fail(`${rows} hours were written, ${found} are there`, harms.uncounted);
    const each = bytes / rows;
    tally.notes.push(`${(bytes / 1e9).toFixed(2)} GB, ${each.toFixed(0)} bytes for each, written whole`);
    if (each > mostBytes) tally.fail(`an hour of a node takes ${each.toFixed(0)} bytes, at most ${mostBytes}`);
    await this.#draw();
    await this.#live();
    return tally.outcome();
  }

  /** Host by host, hour by hour; nothing where it was away. */
  #pack(): (Uint8Array | undefined)[][] {
    const started = performance.now();
    const packed = this.#hosts.map((host) =>
      Array.from({ length: this.#hours }, (_, hour) => {
        const codes = emptyHour();
        let minutes = 0;
        for (let at = begin + hour * hourMs; at < begin + (hour + 1) * hourMs; at += minuteMs) {
          const values = host.measure(at);
          if (values === undefined) continue;
          minutes += 1;
          putMinute(
            codes,
            at,
            values.map((value) => value ?? Number.NaN),
          );
        }
        return minutes === 0 ? undefined : packHour(codes);
      }),
    );
    this.#tally.notes.push(`measured and packed in ${seconds(started)} s`);
    return packed;
  }

  #write(packed: readonly (readonly (Uint8Array | undefined)[])[]): number {
    const started = performance.now();
    const db = openDatabase(this.#path, telemetryFormat);
    let rows = 0;
    try {
      const table = openHourTable(db);
      const nodes = this.#nodes.map((node) => table.hoursOf(node));
      for (let hour = 0; hour < this.#hours; hour += 1) {
        transaction(db, "IMMEDIATE", () => {
          for (const [n, node] of nodes.entries()) {
            const bytes = packed[n % packed.length]?.[hour];
            if (bytes === undefined) continue;
            node.write(begin / hourMs + hour, bytes);
            rows += 1;
          }
        });
      }
    } finally {
      db.close();
    }
    this.#tally.notes.push(`written in ${seconds(started)} s`);
    return rows;
  }

  async #draw(): Promise<void> {
    const to = begin + this.#hours * hourMs;
    const { port } = this.#open(to);
    const random = new Random(this.#seed, 2_000_000);
    for (const [what, count, from, stepMs] of [
      ["a day's chart", charts.day, to - dayMs, minuteMs],
      [`a chart of ${this.#hours / 24} days`, charts.month, begin, 30 * minuteMs],
    ] as const) {
      const times: number[] = [];
      for (let n = 0; n < count; n += 1) {
        const node = random.pick(this.#nodes);
        const started = performance.now();
        await port.measured({ node, from, to, stepMs });
        times.push(performance.now() - started);
      }
      this.#note(what, times);
    }
    await port.close();
  }

  /** As a server runs: every host every minute, a tenth of them written. The first minute also removes what is too old by then. */
  async #live(): Promise<void> {
    const to = begin + this.#hours * hourMs;
    const telemetry = this.#open(to);
    const times: number[] = [];
    const used = process.cpuUsage();
    for (let minute = 0; minute < liveMinutes; minute += 1) {
      const at = to + minute * minuteMs;
      const told = this.#hosts.map((host) => host.measure(at));
      const rows = this.#nodes.flatMap((node, n): Minute[] => {
        const values = told[n % told.length];
        return values === undefined ? [] : [{ node, at, values }];
      });
      const started = performance.now();
      telemetry.port.measure(rows);
      await telemetry.tick();
      times.push(performance.now() - started);
      telemetry.clock.advance(minuteMs);
    }
    const { user, system } = process.cpuUsage(used);
    this.#note("a minute of all", times);
    this.#tally.notes.push(
      `${((user + system) / 1000 / liveMinutes).toFixed(0)} ms of processor time for a minute of all`,
    );
    const started = performance.now();
    await telemetry.port.close();
    this.#tally.notes.push(`the rest written at the stop in ${seconds(started)} s`);
    this.#tally.notes.push(`${(statSync(this.#path).size / 1e9).toFixed(2)} GB at the end`);
    if (telemetry.port.dropped() > 0)
      this.#tally.fail(`${telemetry.port.dropped()} minutes were dropped`, harms.uncounted);
    for (const warning of telemetry.warnings) this.#tally.fail(warning);
  }

  #open(now: number): PacedTelemetry {
    return new PacedTelemetry({ path: this.#path, now, keepMinutesMs: this.#hours * hourMs });
  }

  #note(what: string, times: readonly number[]): void {
    const [half, most] = [percentile(times, 0.5), percentile(times, 0.99)].map((ms) => ms.toFixed(1));
    this.#tally.notes.push(`${what} p50 ${half} ms, p99 ${most} ms`);
  }
}

function seconds(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(1);
}
