import { manualClock } from "@gatehouse/base";
import { expect, test } from "vitest";
import type { TelemetryDeps } from "./open-telemetry.ts";
import { type Sample, type Telemetry, telemetryLimits } from "./telemetry.ts";

export interface TelemetryUnderTest {
  readonly telemetry: Telemetry;
  /** Opens what was kept, as after a restart. */
  readonly reopen: () => Telemetry;
  /** Overwrites what is kept with something else. Absent where nothing can be damaged. */
  readonly damage?: () => Promise<void>;
  readonly done: () => Promise<void>;
}

/** What an adapter is opened with; a test moves the clock and calls the timer itself. */
export interface Surroundings {
  readonly clock: ReturnType<typeof manualClock>;
  readonly warnings: string[];
  readonly deps: TelemetryDeps;
  /** What happens once a minute, now. */
  readonly tick: () => void;
  isNearlyFull: boolean;
}

/** What every adapter of telemetry promises. One suite, run by each of them. */
export function telemetryCases(open: (deps: TelemetryDeps) => Promise<TelemetryUnderTest>): void {
  const withTelemetry = (
    name: string,
    work: (telemetry: Telemetry, around: Surroundings, under: TelemetryUnderTest) => Promise<void>,
    limits: TelemetryDeps["limits"] = {},
  ): void => {
    test(name, async () => {
      const around = surroundings(limits);
      const under = await open(around.deps);
      try {
        await work(under.telemetry, around, under);
      } finally {
        await under.done();
      }
    });
  };
  const at = Date.UTC(2026, 0, 1);
  const sampleOf = (n: number, more: Partial<Sample> = {}) => ({
    node: "n1",
    name: "load",
    at: at + n,
    value: n,
    ...more,
  });
  const logOf = (n: number, node = "n1", unit = "sshd") => ({ node, unit, at: at + n, text: `line ${n}` });
  const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
  const all = { node: "n1", name: "load", limit: 1_000 };
  const valuesOf = async (telemetry: Telemetry, query: object = {}) =>
    (await telemetry.samples({ ...all, ...query })).items.map(({ value }) => value);
  const textsOf = async (telemetry: Telemetry, query: object = {}) =>
    (await telemetry.logs({ limit: 1_000, ...query })).items.map(({ text }) => text);

  withTelemetry("what was flushed is read, newest first, each kind by itself", async (telemetry) => {
    telemetry.sample([sampleOf(1), sampleOf(3, { value: -0.5 }), sampleOf(2)]);
    telemetry.log([logOf(5), logOf(4)]);
    telemetry.touch("credential/a", at, "192.0.2.1");
    telemetry.touch("credential/b", at + 1);
    await telemetry.flush();
    expect(await telemetry.samples(all)).toEqual({
      items: [sampleOf(3, { value: -0.5 }), sampleOf(2), sampleOf(1)],
      total: 3,
    });
    expect(await telemetry.logs({ limit: 10 })).toEqual({ items: [logOf(5), logOf(4)], total: 2 });
    expect(await telemetry.lastTouched(["credential/a", "credential/b", "credential/c"])).toEqual(
      new Map([
        ["credential/a", { at, from: "192.0.2.1" }],
        ["credential/b", { at: at + 1 }],
      ]),
    );
    expect(telemetry.dropped()).toBe(0);
  });

  withTelemetry("it is empty at first, and asking for nothing gives nothing", async (telemetry) => {
    await telemetry.flush();
    expect(await telemetry.samples(all)).toEqual({ items: [], total: 0 });
    expect(await telemetry.logs({ limit: 10 })).toEqual({ items: [], total: 0 });
    expect(await telemetry.lastTouched([])).toEqual(new Map());
  });

  withTelemetry("the newest touch wins in either order, before, between and after flushes", async (telemetry) => {
    const touches = [
      ["later", 1, "one"],
      ["later", 2, "two"],
      ["earlier", 2, "two"],
      ["earlier", 1, "one"],
    ] as const;
    for (const between of [async () => undefined, () => telemetry.flush()]) {
      for (const [key, n, from] of touches) {
        telemetry.touch(key, at + n, from);
        await between();
      }
    }
    await telemetry.flush();
    const newest = { at: at + 2, from: "two" };
    expect(await telemetry.lastTouched(["later", "earlier"])).toEqual(
      new Map([
        ["later", newest],
        ["earlier", newest],
      ]),
    );
    telemetry.touch("later", at + 3);
    await telemetry.flush();
    expect(await telemetry.lastTouched(["later"])).toEqual(new Map([["later", { at: at + 3 }]]));
  });

  withTelemetry("samples are found by node and name, log lines by node and unit, both by time", async (telemetry) => {
    telemetry.sample([sampleOf(1), sampleOf(2, { node: "n2" }), sampleOf(3, { name: "heat" }), sampleOf(4)]);
    telemetry.log([logOf(1), logOf(2, "n2"), logOf(3, "n1", "cron"), logOf(4)]);
    await telemetry.flush();
    expect(await valuesOf(telemetry)).toEqual([4, 1]);
    expect(await valuesOf(telemetry, { from: at + 1, to: at + 4 })).toEqual([1]);
    expect(await textsOf(telemetry)).toEqual(["line 4", "line 3", "line 2", "line 1"]);
    expect(await textsOf(telemetry, { of: { node: "n1" } })).toEqual(["line 4", "line 3", "line 1"]);
    expect(await textsOf(telemetry, { of: { node: "n1", unit: "cron" } })).toEqual(["line 3"]);
    expect(await textsOf(telemetry, { from: at + 2, to: at + 4 })).toEqual(["line 3", "line 2"]);
  });

  withTelemetry("of what has one time, what was written last comes first", async (telemetry) => {
    telemetry.log(upTo(5).map((n) => ({ ...logOf(n), at })));
    await telemetry.flush();
    telemetry.log([{ ...logOf(5), at }]);
    await telemetry.flush();
    expect(await textsOf(telemetry)).toEqual(["line 5", "line 4", "line 3", "line 2", "line 1", "line 0"]);
  });

  withTelemetry(
    "a page is bounded, whatever is asked for, and the total is counted up to 10,000",
    async (telemetry) => {
      const flushOf = async (count: number) => {
        telemetry.sample(upTo(count).map((n) => sampleOf(n)));
        telemetry.log(upTo(count).map((n) => logOf(n)));
        await telemetry.flush();
      };
      await flushOf(telemetryLimits.counted);
      for (const limit of [0, -1, 0.5]) expect((await telemetry.samples({ ...all, limit })).items).toHaveLength(1);
      const page = await telemetry.logs({ limit: 1_000_000 });
      expect([page.items.length, page.total]).toEqual([telemetryLimits.pageItems, 10_000]);
      await flushOf(1);
      expect((await telemetry.samples(all)).total).toEqual({ atLeast: 10_000 });
      expect((await telemetry.logs({ limit: 1 })).total).toEqual({ atLeast: 10_000 });
    },
  );

  withTelemetry(
    "a full queue drops the oldest and counts them, each kind for itself",
    async (telemetry) => {
      telemetry.sample(upTo(7).map((n) => sampleOf(n)));
      telemetry.sample(upTo(3).map((n) => sampleOf(10 + n)));
      telemetry.log(upTo(6).map((n) => logOf(n)));
      for (const n of upTo(8)) telemetry.touch(`key/${n}`, at + n);
      expect(telemetry.dropped()).toBe(6 + 3 + 6);
      await telemetry.flush();
      expect(await valuesOf(telemetry)).toEqual([12, 11, 10, 6]);
      expect(await textsOf(telemetry)).toEqual(["line 5", "line 4", "line 3"]);
      expect([...(await telemetry.lastTouched(upTo(8).map((n) => `key/${n}`))).keys()].sort()).toEqual([
        "key/6",
        "key/7",
      ]);
      expect(telemetry.dropped()).toBe(15);
    },
    { queuedSamples: 4, queuedLogs: 3, queuedTouches: 2 },
  );

  withTelemetry(
    "a touch of a key that waits takes no second place",
    async (telemetry) => {
      for (const n of upTo(50)) telemetry.touch(`key/${n % 2}`, at + n);
      expect(telemetry.dropped()).toBe(0);
      // The one that was touched longest ago goes first.
      telemetry.touch("key/0", at + 50);
      telemetry.touch("key/2", at + 51);
      await telemetry.flush();
      const found = await telemetry.lastTouched(["key/0", "key/1", "key/2"]);
      expect(found).toEqual(
        new Map([
          ["key/0", { at: at + 50 }],
          ["key/2", { at: at + 51 }],
        ]),
      );
      expect(telemetry.dropped()).toBe(1);
    },
    { queuedTouches: 2 },
  );

  withTelemetry(
    "long lines are bounded by their length in sum",
    async (telemetry) => {
      telemetry.log(upTo(5).map((n) => ({ ...logOf(n), text: String(n).repeat(40) })));
      expect(telemetry.dropped()).toBe(3);
      await telemetry.flush();
      expect(await textsOf(telemetry)).toEqual(["4".repeat(40), "3".repeat(40)]);
    },
    { queuedLogChars: 100 },
  );

  withTelemetry("what has no form is dropped and counted, and its neighbours are kept", async (telemetry) => {
    const long = "x".repeat(telemetryLimits.nameChars + 1);
    const bad = [
      sampleOf(1, { node: "" }),
      sampleOf(1, { name: long }),
      sampleOf(1, { at: 1.5 }),
      sampleOf(1, { at: -1 }),
      sampleOf(1, { value: Number.NaN }),
    ];
    telemetry.sample([...bad, sampleOf(7)]);
    telemetry.log([{ ...logOf(1), text: "x".repeat(telemetryLimits.textChars + 1) }, logOf(2, long), logOf(3)]);
    telemetry.touch(long, at);
    telemetry.touch("key/a", Number.NaN);
    telemetry.touch("key/b", at, "x".repeat(telemetryLimits.fromChars + 1));
    await telemetry.flush();
    expect(telemetry.dropped()).toBe(bad.length + 2 + 3);
    expect(await valuesOf(telemetry)).toEqual([7]);
    expect(await textsOf(telemetry)).toEqual(["line 3"]);
    expect(await telemetry.lastTouched(["key/a", "key/b"])).toEqual(new Map());
  });

  withTelemetry(
    "more than one batch is written whole, and flushes beside each other lose nothing",
    async (telemetry) => {
      const flushes = upTo(20).map((n) => {
        telemetry.sample([sampleOf(2 * n), sampleOf(2 * n + 1)]);
        telemetry.touch(`key/${n}`, at + n);
        return telemetry.flush();
      });
      await Promise.all(flushes);
      expect(await valuesOf(telemetry)).toEqual(upTo(40).toReversed());
      expect((await telemetry.lastTouched(upTo(20).map((n) => `key/${n}`))).size).toBe(20);
    },
    { batchRows: 3 },
  );

  withTelemetry(
    "once a minute everything is written, and what is too old goes, part by part",
    async (telemetry, around) => {
      const { clock, tick } = around;
      telemetry.sample(upTo(25).map((n) => sampleOf(n)));
      telemetry.log(upTo(25).map((n) => logOf(n)));
      telemetry.touch("key/old", at);
      tick();
      await expect.poll(() => valuesOf(telemetry)).toHaveLength(25);
      clock.advance(telemetryLimits.keepLogsMs + 20);
      tick();
      await expect.poll(() => textsOf(telemetry)).toEqual(upTo(5).map((n) => `line ${24 - n}`));
      clock.advance(telemetryLimits.keepTouchesMs);
      telemetry.touch("key/new", clock.now());
      tick();
      await expect
        .poll(() => telemetry.lastTouched(["key/old", "key/new"]))
        .toEqual(new Map([["key/new", { at: clock.now() }]]));
      await expect.poll(async () => (await telemetry.samples(all)).total).toBe(0);
    },
    { prunedRows: 4 },
  );

  withTelemetry("on a disk that is nearly full only touches are written", async (telemetry, around) => {
    around.isNearlyFull = true;
    telemetry.sample([sampleOf(1)]);
    telemetry.log([logOf(1), logOf(2)]);
    telemetry.touch("key/a", at);
    await telemetry.flush();
    expect(telemetry.dropped()).toBe(3);
    around.isNearlyFull = false;
    telemetry.sample([sampleOf(2)]);
    await telemetry.flush();
    expect(await valuesOf(telemetry)).toEqual([2]);
    expect(await textsOf(telemetry)).toEqual([]);
    expect((await telemetry.lastTouched(["key/a"])).size).toBe(1);
  });

  withTelemetry(
    "closing flushes; afterwards nothing is accepted, nothing is found and nothing throws",
    async (telemetry, { tick }, { reopen }) => {
      telemetry.touch("key/a", at);
      await Promise.all([telemetry.close(), telemetry.close()]);
      telemetry.sample([sampleOf(1), sampleOf(2)]);
      telemetry.log([logOf(1)]);
      telemetry.touch("key/a", at + 1);
      tick();
      await telemetry.flush();
      await telemetry.close();
      expect(telemetry.dropped()).toBe(4);
      expect(await telemetry.lastTouched(["key/a"])).toEqual(new Map());
      expect(await telemetry.samples(all)).toEqual({ items: [], total: 0 });
      expect(await telemetry.logs({ limit: 1 })).toEqual({ items: [], total: 0 });
      expect(await reopen().lastTouched(["key/a"])).toEqual(new Map([["key/a", { at }]]));
    },
  );

  withTelemetry("reopening finds what was flushed, and goes on from there", async (telemetry, _, { reopen }) => {
    telemetry.sample([sampleOf(1)]);
    telemetry.log([logOf(1)]);
    telemetry.touch("key/a", at + 5, "192.0.2.1");
    await telemetry.close();
    const again = reopen();
    again.touch("key/a", at + 4);
    again.sample([sampleOf(2)]);
    await again.flush();
    expect(await valuesOf(again)).toEqual([2, 1]);
    expect(await textsOf(again)).toEqual(["line 1"]);
    expect(await again.lastTouched(["key/a"])).toEqual(new Map([["key/a", { at: at + 5, from: "192.0.2.1" }]]));
  });

  withTelemetry("a damaged file is begun anew, with a warning", async (telemetry, { warnings }, { reopen, damage }) => {
    if (damage === undefined) return;
    telemetry.touch("key/a", at);
    await telemetry.close();
    await damage();
    const again = reopen();
    expect(await Promise.all([again.lastTouched(["key/a"]), again.logs({ limit: 1 })])).toEqual([
      new Map(),
      { items: [], total: 0 },
    ]);
    expect(warnings).toHaveLength(1);
    again.touch("key/a", at + 1);
    await again.flush();
    expect(await again.lastTouched(["key/a"])).toEqual(new Map([["key/a", { at: at + 1 }]]));
    expect(again.dropped()).toBe(0);
  });
}

function surroundings(limits: TelemetryDeps["limits"]): Surroundings {
  const clock = manualClock();
  const warnings: string[] = [];
  const acts = new Set<() => void>();
  const around: Surroundings = {
    clock,
    warnings,
    isNearlyFull: false,
    tick: () => {
      for (const act of acts) act();
    },
    deps: {
      clock,
      every: (_, act) => {
        acts.add(act);
        return () => acts.delete(act);
      },
      mayGrow: () => !around.isNearlyFull,
      onWarning: (message) => warnings.push(message),
      ...(limits !== undefined && { limits }),
    },
  };
  return around;
}
