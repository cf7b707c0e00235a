import { type Scenario, Tally } from "../support/scenario.ts";
import { inScratch } from "../support/scratch.ts";
import { harms } from "./harms.ts";
import { PacedTelemetry } from "./paced-telemetry.ts";
import { SimulatedHost } from "./simulated-host.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const days = 366;
const begin = Date.UTC(2025, 0, 1);
const node = "node_of_a_year";

/** The longest that can be asked for: one host, and every minute of it counted. */
export const yearScenario: Scenario<"load:telemetry"> = {
  name: "year",
  run: ({ seed }) =>
    inScratch(async (directory) => {
      const tally = new Tally();
      const { port } = new PacedTelemetry({
        path: `${directory}/telemetry.db`,
        now: begin,
        keepMinutesMs: days * dayMs,
      });
      const host = new SimulatedHost(seed, 0, begin);
      const perDay: number[] = [];
      for (let day = 0; day < days; day += 1) {
        const told = Array.from({ length: 24 * 60 }, (_, n) => begin + day * dayMs + n * minuteMs).flatMap((at) => {
          const values = host.measure(at);
          return values === undefined ? [] : [{ node, at, values }];
        });
        port.measure(told);
        await port.flush();
        perDay.push(told.length);
      }
      const minutes = perDay.reduce((sum, count) => sum + count, 0);
      const started = performance.now();
      const series = await port.measured({ node, from: begin, to: begin + days * dayMs, stepMs: dayMs });
      const took = performance.now() - started;
      tally.count("days", days);
      tally.count("minutes", minutes);
      if (series.minutes !== minutes)
        tally.fail(`${minutes} minutes were told, ${series.minutes} are drawn`, harms.wrong);
      const empty = perDay.flatMap((count, day) => (count === 0 ? [day] : []));
      const drawnEmpty = (series.curves[0]?.mean ?? []).flatMap((mean, day) => (mean === null ? [day] : []));
      if (drawnEmpty.join() !== empty.join()) tally.fail(`days without a point: ${drawnEmpty.join()}`, harms.wrong);
      tally.notes.push(`all of it drawn in ${took.toFixed(0)} ms`);
      await port.close();
      return tally.outcome();
    }),
};
