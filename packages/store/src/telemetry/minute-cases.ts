import { metricNames, type MetricName, type MetricValues } from "@gatehouse/contract/metrics";
import { expect } from "vitest";
import { hourMs, minuteMs } from "./pack-hour.ts";
import type { TelemetryCase } from "./prepare-cases.ts";
import { type Minute, type Telemetry, telemetryLimits } from "./telemetry.ts";

const begin = Date.UTC(2026, 0, 1);
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
const dropped = (telemetry: Telemetry) => telemetry.dropped();

/** All null but these. */
export function metricValuesOf(told: Partial<Record<MetricName, number>>): MetricValues {
  return metricNames.map((name) => told[name] ?? null);
}

/** The n-th minute of the year, whose processor was in use by n percent unless said. */
export function minuteOf(n: number, cpu = n, node = "n1"): Minute {
  return { node, at: begin + n * minuteMs, values: metricValuesOf({ cpu }) };
}

/** What the processor was in use, from this minute to before that one, a point a minute. */
export async function cpuOf(telemetry: Telemetry, from: number, to: number, node = "n1"): Promise<MetricValues> {
  const stretch = { from: begin + from * minuteMs, to: begin + to * minuteMs };
  const { curves, minutes } = await telemetry.measured({ node, ...stretch, stepMs: minuteMs });
  const values = curves[0]?.mean ?? [];
  expect(minutes).toBe(values.filter((value) => value !== null).length);
  return values;
}

/** What every adapter promises of the minutes that hosts measure. */
export function minuteCases(withTelemetry: TelemetryCase): void {
  withTelemetry(
    "a stretch that is read in pieces is drawn as one, also where a piece ends within a point",
    async (telemetry) => {
      const rows = upTo(600).filter((n) => n % 7 !== 0);
      telemetry.measure(rows.filter((n) => n < 500).map((n) => minuteOf(n, n % 90)));
      await telemetry.flush();
      telemetry.measure(rows.filter((n) => n >= 500).map((n) => minuteOf(n, n % 90)));
      for (const [from, step] of [
        [0, 600],
        [30, 90],
        [61, 7],
        [0, 60],
      ] as const) {
        const points = Math.ceil((570 - from) / step);
        const stretch = { from: begin + from * minuteMs, to: begin + (from + points * step) * minuteMs };
        const { curves, minutes, latest } = await telemetry.measured({
          node: "n1",
          ...stretch,
          stepMs: step * minuteMs,
        });
        const of = upTo(points).map((point) => {
          const begun = from + point * step;
          return rows.filter((n) => n >= begun && n < begun + step).map((n) => n % 90);
        });
        const mean = of.map((values) => values.reduce((sum, value) => sum + value, 0) / values.length);
        expect(curves[0]?.least).toEqual(of.map((values) => Math.min(...values)));
        expect(curves[0]?.most).toEqual(of.map((values) => Math.max(...values)));
        expect(curves[0]?.mean.every((value, n) => Math.abs((value ?? 0) - (mean[n] ?? 0)) < 1e-9)).toBe(true);
        expect(minutes).toBe(of.flat().length);
        expect(latest?.at).toBe(begin + (rows.findLast((n) => n < from + points * step) ?? 0) * minuteMs);
      }
    },
    { limits: { pieceHours: 1 } },
  );

  withTelemetry("a minute is read as it is kept, with every metric that was told", async (telemetry) => {
    const told = { cpu: 12.34, load: 0.5, memoryTotal: 2 ** 34 + 5, netIn: 123_456, uptime: 86_400, cores: 8 };
    const kept = { cpu: 12.3, load: 0.5, memoryTotal: 2 ** 34, uptime: 86_400, cores: 8 };
    const minute = { node: "n1", at: begin, values: metricValuesOf(told) };
    telemetry.measure([minute]);
    await telemetry.flush();
    const series = await telemetry.measured({ node: "n1", from: begin, to: begin + hourMs, stepMs: hourMs });
    const { values } = series.latest ?? minute;
    const netIn = values[metricNames.indexOf("netIn")] ?? 0;
    expect(Math.abs(netIn / 123_456 - 1)).toBeLessThan(0.006);
    expect(series.latest).toEqual({ ...minute, values: metricValuesOf({ ...kept, netIn }) });
    expect(series.minutes).toBe(1);
    expect(series.curves).toEqual(values.map((value) => ({ least: [value], mean: [value], most: [value] })));
    expect(dropped(telemetry)).toBe(0);
  });

  withTelemetry(
    "minutes are drawn together to points, and where nothing was measured is nothing",
    async (telemetry) => {
      telemetry.measure([0, 1, 2, 30, 31, 95].map((n) => minuteOf(n)));
      const stretch = { node: "n1", from: begin, to: begin + 2 * hourMs, stepMs: hourMs / 2 };
      const half = await telemetry.measured(stretch);
      expect(half.curves[0]).toEqual({
        least: [0, 30, null, 95],
        mean: [1, 30.5, null, 95],
        most: [2, 31, null, 95],
      });
      expect(half.curves[1]).toEqual({
        least: [null, null, null, null],
        mean: [null, null, null, null],
        most: [null, null, null, null],
      });
      expect([half.minutes, half.latest?.at]).toEqual([6, begin + 95 * minuteMs]);
      await telemetry.flush();
      expect(await telemetry.measured(stretch)).toEqual(half);
      const first = await telemetry.measured({ ...stretch, to: begin + hourMs / 2 });
      expect([first.minutes, first.latest?.at, first.curves[0]?.mean]).toEqual([3, begin + 2 * minuteMs, [1]]);
    },
  );

  withTelemetry("what waits is read like what is written, before, during and after its flush", async (telemetry) => {
    telemetry.measure([minuteOf(1), minuteOf(3)]);
    const expected = [null, 1, null, 3];
    expect(await cpuOf(telemetry, 0, 4)).toEqual(expected);
    const flushed = telemetry.flush();
    expect(await cpuOf(telemetry, 0, 4)).toEqual(expected);
    await flushed;
    expect(await cpuOf(telemetry, 0, 4)).toEqual(expected);
  });

  withTelemetry("reads beside flushes see every minute exactly once, as it was told last", async (telemetry) => {
    const flushes: Promise<void>[] = [];
    for (const n of upTo(50)) {
      telemetry.measure([minuteOf(n, 99), minuteOf(Math.floor(n / 2), n % 2)]);
      flushes.push(telemetry.flush());
      const expected = upTo(n + 1).map((minute) => {
        const told = [2 * minute, 2 * minute + 1].filter((turn) => turn <= n).at(-1);
        return told === undefined ? 99 : told % 2;
      });
      expect(await cpuOf(telemetry, 0, n + 1)).toEqual(expected);
    }
    await Promise.all(flushes);
  });

  withTelemetry("late minutes join the hour that is on the disk, across hours too", async (telemetry) => {
    telemetry.measure([5, 10, 59, 60, 70].map((n) => minuteOf(n)));
    await telemetry.flush();
    telemetry.measure([61, 4, 7, 58].map((n) => minuteOf(n, n / 10)));
    await telemetry.flush();
    expect(await cpuOf(telemetry, 4, 11)).toEqual([0.4, 5, null, 0.7, null, null, 10]);
    expect(await cpuOf(telemetry, 58, 62)).toEqual([5.8, 59, 60, 6.1]);
    expect(await cpuOf(telemetry, 70, 71)).toEqual([70]);
  });

  withTelemetry("of a minute that comes again the newest word wins, waiting and on the disk", async (telemetry) => {
    telemetry.measure([minuteOf(1, 10), minuteOf(2, 20), minuteOf(1, 11)]);
    expect(await cpuOf(telemetry, 1, 3)).toEqual([11, 20]);
    await telemetry.flush();
    telemetry.measure([minuteOf(1, 12)]);
    expect(await cpuOf(telemetry, 1, 3)).toEqual([12, 20]);
    await telemetry.flush();
    expect(await cpuOf(telemetry, 1, 3)).toEqual([12, 20]);
    // Also when the later word knows less.
    telemetry.measure([{ ...minuteOf(2), values: metricValuesOf({ load: 1 }) }]);
    await telemetry.flush();
    const { latest, minutes } = await telemetry.measured({
      node: "n1",
      from: begin,
      to: begin + hourMs,
      stepMs: hourMs,
    });
    expect([latest?.values, minutes]).toEqual([metricValuesOf({ load: 1 }), 2]);
    expect(dropped(telemetry)).toBe(0);
  });

  withTelemetry(
    "a host that runs on has one moment at which it came up, in whatever pieces it tells",
    async (telemetry) => {
      const uptimeAt = (n: number) => ({
        node: "n1",
        at: begin + n * minuteMs,
        values: metricValuesOf({ uptime: 5_000 + n * 60 + (n % 3) }),
      });
      for (const n of [5, 4, 6, 40, 3, 41]) {
        telemetry.measure([uptimeAt(n)]);
        await telemetry.flush();
      }
      const { curves } = await telemetry.measured({
        node: "n1",
        from: begin,
        to: begin + hourMs,
        stepMs: minuteMs,
      });
      const uptimes = curves[metricNames.indexOf("uptime")]?.least ?? [];
      const moments = uptimes.flatMap((value, n) => (value === null ? [] : [value - n * 60]));
      expect(moments).toHaveLength(6);
      expect(new Set(moments).size).toBe(1);
    },
  );

  withTelemetry("each node is for itself, and one that nobody knows has measured nothing", async (telemetry) => {
    telemetry.measure([minuteOf(1, 10), minuteOf(1, 20, "n2")]);
    for (const between of [async () => undefined, () => telemetry.flush()]) {
      await between();
      expect(await cpuOf(telemetry, 0, 2)).toEqual([null, 10]);
      expect(await cpuOf(telemetry, 0, 2, "n2")).toEqual([null, 20]);
      expect(await cpuOf(telemetry, 0, 2, "n3")).toEqual([null, null]);
    }
  });

  withTelemetry(
    "more than one batch is written whole",
    async (telemetry) => {
      telemetry.measure(upTo(100).map((n) => minuteOf(n)));
      telemetry.measure(upTo(100).map((n) => minuteOf(n, 100 - n, "n2")));
      await telemetry.flush();
      expect(await cpuOf(telemetry, 0, 100)).toEqual(upTo(100));
      expect(await cpuOf(telemetry, 0, 100, "n2")).toEqual(upTo(100).map((n) => 100 - n));
    },
    { limits: { batchRows: 7 } },
  );

  withTelemetry(
    "a full queue drops the oldest and counts them, in turn among the nodes",
    async (telemetry, around) => {
      around.isNearlyFull = true;
      // The first goes before its time, because so many wait, and is lost on a full disk; the others wait behind it.
      telemetry.measure(upTo(3).map((n) => minuteOf(n)));
      expect(dropped(telemetry)).toBe(3);
      around.isNearlyFull = false;
      telemetry.measure([1, 2, 3, 4, 5, 6].flatMap((n) => [minuteOf(n), minuteOf(n, n, "n2")]));
      expect(dropped(telemetry)).toBe(3 + 8);
      await telemetry.flush();
      expect(await cpuOf(telemetry, 0, 7)).toEqual([null, null, null, null, null, 5, 6]);
      expect(await cpuOf(telemetry, 0, 7, "n2")).toEqual([null, null, null, null, null, 5, 6]);
    },
    { limits: { queuedMinutes: 4 } },
  );

  withTelemetry("what is no minute is dropped and counted, and its neighbours are kept", async (telemetry) => {
    const { values } = minuteOf(1);
    const bad = [
      { ...minuteOf(1), node: "" },
      { ...minuteOf(1), node: "x".repeat(telemetryLimits.nameChars + 1) },
      { ...minuteOf(1), at: begin + 1 },
      { ...minuteOf(1), at: -minuteMs },
      { ...minuteOf(1), at: Number.NaN },
      { ...minuteOf(1), values: values.slice(1) },
      { ...minuteOf(1), values: [...values, 1] },
      { ...minuteOf(1), values: values.with(0, Number.NaN) },
      { ...minuteOf(1), values: values.with(0, Number.POSITIVE_INFINITY) },
    ];
    telemetry.measure([...bad, minuteOf(2)]);
    expect(dropped(telemetry)).toBe(bad.length);
    await telemetry.flush();
    expect(await cpuOf(telemetry, 0, 3)).toEqual([null, null, 2]);
  });

  withTelemetry("what is beyond a metric's bounds is kept at them", async (telemetry) => {
    telemetry.measure([minuteOf(0, -5), minuteOf(1, 1e300)]);
    await telemetry.flush();
    expect(await cpuOf(telemetry, 0, 2)).toEqual([0, 100]);
  });

  withTelemetry("whatever is asked for, an answer is bounded and nothing throws", async (telemetry) => {
    telemetry.measure([minuteOf(0, 7), minuteOf(1)]);
    const day = { node: "n1", from: begin, to: begin + 24 * hourMs, stepMs: minuteMs };
    const pointsOf = async (query: object) => {
      const { curves } = await telemetry.measured({ ...day, ...query });
      expect(curves).toHaveLength(metricNames.length);
      return curves[0]?.mean.length;
    };
    expect(await pointsOf({})).toBe(1440);
    for (const stepMs of [0, -1, 1, Number.NEGATIVE_INFINITY]) expect(await pointsOf({ stepMs })).toBe(1440);
    for (const to of [begin, begin - 1, 0, Number.NaN]) expect(await pointsOf({ to })).toBe(0);
    for (const from of [Number.NaN, Number.POSITIVE_INFINITY, begin + 0.5]) expect(await pointsOf({ from })).toBe(0);
    expect(await pointsOf({ stepMs: Number.NaN })).toBe(0);
    expect(await pointsOf({ to: Number.MAX_VALUE })).toBe(telemetryLimits.points);
    expect(await pointsOf({ to: Number.MAX_VALUE, stepMs: hourMs })).toBe(367 * 24);
    expect(await pointsOf({ to: Number.MAX_VALUE, stepMs: 1e15 })).toBe(1);
    const early = await telemetry.measured({ ...day, from: -hourMs, to: 2 * minuteMs });
    expect([early.minutes, early.curves[0]?.mean]).toEqual([0, [null, null]]);
    // Between two minutes, and not a whole number of steps.
    const odd = await telemetry.measured({ ...day, from: begin + 1, to: begin + 5 * minuteMs, stepMs: 3 * minuteMs });
    expect(odd.curves[0]?.mean).toEqual([1, null]);
  });

  withTelemetry(
    "what is older than it is kept goes by the hour",
    async (telemetry, { clock, tick }) => {
      telemetry.measure([30, 59, 60, 119, 120].map((n) => minuteOf(n, 1)));
      telemetry.measure([minuteOf(30, 2, "n2")]);
      await telemetry.flush();
      // So that it can be seen that the first removal is over.
      telemetry.touch("key/old", begin);
      const ticked = async <T>(read: () => Promise<T>) => {
        tick();
        return read();
      };
      clock.advance(4 * hourMs - 1);
      await expect.poll(() => ticked(async () => (await telemetry.lastTouched(["key/old"])).size)).toBe(0);
      expect((await cpuOf(telemetry, 0, 121)).filter((value) => value !== null)).toHaveLength(5);
      clock.advance(1);
      await expect.poll(() => ticked(() => cpuOf(telemetry, 30, 31))).toEqual([null]);
      await expect.poll(() => ticked(() => cpuOf(telemetry, 30, 31, "n2"))).toEqual([null]);
      expect((await cpuOf(telemetry, 0, 121)).flatMap((value, n) => (value === null ? [] : [n]))).toEqual([
        60, 119, 120,
      ]);
      // A node that was forgotten begins again.
      telemetry.measure([minuteOf(70, 3, "n2")]);
      await telemetry.flush();
      expect(await cpuOf(telemetry, 70, 71, "n2")).toEqual([3]);
    },
    { keepMinutesMs: 3 * hourMs, limits: { prunedRows: 1, keepTouchesMs: hourMs } },
  );

  withTelemetry("on a disk that is nearly full no minute is written", async (telemetry, around) => {
    around.isNearlyFull = true;
    telemetry.measure([minuteOf(1)]);
    await telemetry.flush();
    expect(dropped(telemetry)).toBe(1);
    around.isNearlyFull = false;
    telemetry.measure([minuteOf(2)]);
    await telemetry.flush();
    expect(await cpuOf(telemetry, 0, 3)).toEqual([null, null, 2]);
  });

  withTelemetry("after a restart minutes are read and joined as before", async (telemetry, _, { reopen }) => {
    telemetry.measure([minuteOf(1), minuteOf(61)]);
    await telemetry.close();
    const again = reopen();
    again.measure([minuteOf(2), minuteOf(1, 9)]);
    expect(await cpuOf(again, 1, 3)).toEqual([9, 2]);
    await again.flush();
    expect(await cpuOf(again, 1, 3)).toEqual([9, 2]);
    expect(await cpuOf(again, 61, 62)).toEqual([61]);
  });

  withTelemetry(
    "closing writes what waits; afterwards nothing is measured and nothing is found",
    async (telemetry, _, { reopen }) => {
      telemetry.measure([minuteOf(1)]);
      await telemetry.close();
      telemetry.measure([minuteOf(2), minuteOf(3)]);
      expect(dropped(telemetry)).toBe(2);
      expect(await cpuOf(telemetry, 0, 2)).toEqual([null, null]);
      expect(await cpuOf(reopen(), 0, 2)).toEqual([null, 1]);
    },
  );

  withTelemetry(
    "an hour that is damaged costs itself, with one warning, and begins anew",
    async (telemetry, { warnings }, { reopen, damageHour }) => {
      telemetry.measure([minuteOf(1), minuteOf(61), minuteOf(121, 21)]);
      await telemetry.close();
      await damageHour("n1", begin / hourMs + 1);
      const again = reopen();
      for (const _ of upTo(2)) {
        const values = await cpuOf(again, 0, 122);
        expect([values[1], values[61], values[121]]).toEqual([1, null, 21]);
      }
      again.measure([minuteOf(62)]);
      expect(await cpuOf(again, 61, 63)).toEqual([null, 62]);
      await again.flush();
      expect(await cpuOf(again, 61, 63)).toEqual([null, 62]);
      expect(warnings).toEqual(["telemetry: an hour of measurements cannot be read; it counts as not measured"]);
      expect(dropped(again)).toBe(0);
    },
  );
}
