import { describe, expect, test } from "vitest";
import { minuteOf } from "./minute-cases.ts";
import { countMinutes, type MinuteRows, readMinuteRows } from "./minute-rows.ts";
import { openTelemetry, type TelemetryRows } from "./open-telemetry.ts";
import type { Batch } from "./queue.ts";
import type { TelemetryLimits } from "./telemetry.ts";

const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));
const cpus = (rows: MinuteRows) => [...readMinuteRows(rows)].map(({ values: [cpu] }) => cpu);

/** Rows that keep what they are given when they are allowed to, and refuse when they are told to. */
function rig(limits: Partial<TelemetryLimits> = {}) {
  const written: Batch[] = [];
  const warnings: string[] = [];
  const pieces: (readonly [first: number, hours: number])[] = [];
  const handedAlong: (number | undefined)[][] = [];
  const held: (() => void)[] = [];
  const state = { isHolding: false, isBroken: false, hasMoreOld: true, prunes: 0, reads: 0, now: 0 };
  const rows: TelemetryRows = {
    write: async (batch) => {
      if (state.isHolding) await new Promise<void>((resolve) => held.push(resolve));
      if (state.isBroken) throw new Error("the disk is gone");
      written.push(batch);
      return 0;
    },
    lastTouched: () => Promise.resolve([]),
    measured: async ({ first, low, to }, waiting) => {
      handedAlong.push(cpus(waiting));
      pieces.push([first, (to - low) / 3_600_000]);
      state.reads += 1;
      expect(state.reads).toBe(1);
      await turnOfLoop();
      state.reads -= 1;
      return { minutes: 1, latest: undefined, columns: [], damaged: 0 };
    },
    putLogs: async () => {
      if (state.isHolding) await new Promise<void>((resolve) => held.push(resolve));
      if (state.isBroken) throw new Error("the disk is gone");
    },
    logCheckpoint: () => Promise.resolve(undefined),
    searchLogs: () => Promise.resolve({ items: [], rows: 0, goOn: undefined, last: 0 }),
    countLogs: () => Promise.reject(new Error("nobody counts here")),
    keepPlace: () => Promise.resolve(),
    placesOf: () => Promise.reject(new Error("the disk is gone")),
    keepAttempt: () => Promise.resolve(),
    attemptsOf: () => Promise.reject(new Error("the disk is gone")),
    prune: async () => {
      state.prunes += 1;
      await turnOfLoop();
      return state.hasMoreOld;
    },
    close: () => (state.isBroken ? Promise.reject(new Error("the disk is gone")) : Promise.resolve()),
  };
  let tick = () => undefined as void;
  const telemetry = openTelemetry(rows, {
    clock: { now: () => state.now },
    every: (_, act) => {
      tick = act;
      return () => undefined;
    },
    onWarning: (message) => warnings.push(message),
    limits,
  });
  const release = () => {
    state.isHolding = false;
    for (const go of held.splice(0)) go();
  };
  const minutes = (count: number) => Array.from({ length: count }, (_, n) => minuteOf(n));
  const values = () => written.flatMap((batch) => batch.minutes.flatMap(({ rows: of }) => cpus(of)));
  return { telemetry, state, warnings, release, minutes, values, written, handedAlong, pieces, tick: () => tick() };
}

describe("telemetry over rows that fail", () => {
  test("what cannot be written is dropped and counted, and one warning tells when it begins, and again after it went well, a minute later at the earliest", async () => {
    const { telemetry, state, warnings, minutes, values } = rig();
    state.isBroken = true;
    for (let n = 0; n < 3; n += 1) {
      telemetry.measure(minutes(2));
      await telemetry.flush();
    }
    expect([telemetry.dropped(), warnings]).toEqual([6, ["telemetry: writing failed"]]);
    state.isBroken = false;
    telemetry.measure(minutes(2));
    await telemetry.flush();
    expect([telemetry.dropped(), values()]).toEqual([6, [0, 1]]);
    state.isBroken = true;
    for (const [now, told] of [
      [59_999, 1],
      [60_000, 2],
      [60_001, 2],
    ] as const) {
      state.now = now;
      telemetry.measure(minutes(1));
      await telemetry.flush();
      expect(warnings).toHaveLength(told);
    }
  });

  test("closing does not fail either", async () => {
    const { telemetry, state, warnings, minutes } = rig();
    telemetry.measure(minutes(1));
    state.isBroken = true;
    await telemetry.close();
    expect(telemetry.dropped()).toBe(1);
    expect(warnings).toEqual(["telemetry: writing failed", "telemetry: closing failed"]);
  });

  test("rows that never finish a write cost a bounded queue and nothing else", async () => {
    const { telemetry, state, release, minutes, values } = rig({ queuedMinutes: 10 });
    state.isHolding = true;
    telemetry.measure(minutes(1));
    const first = telemetry.flush();
    telemetry.measure(minutes(25));
    expect(telemetry.dropped()).toBe(15);
    const second = telemetry.flush();
    expect(telemetry.flush()).toBe(second);
    release();
    await Promise.all([first, second]);
    expect(values()).toEqual([
      0,
      ...minutes(25)
        .slice(15)
        .map(({ values: [cpu] }) => cpu),
    ]);
  });
});

test("a full batch of touches is written before its time, last use goes first, and minutes wait for their turn", async () => {
  const { telemetry, minutes, written } = rig({ batchRows: 4 });
  const touch = (count: number) => {
    for (let n = 0; n < count; n += 1) telemetry.touch(`key/${n}`, 1);
  };
  telemetry.measure(minutes(9));
  touch(3);
  expect(written).toEqual([]);
  touch(4);
  const kinds = () => written.map((batch) => [batch.touches.length, countMinutes(batch.minutes)]);
  await expect.poll(kinds).toEqual([[4, 0]]);
  await telemetry.flush();
  expect(kinds().slice(1)).toEqual([4, 4, 1].map((count) => [0, count]));
});

test("every minute a tenth of the nodes is written, each in its turn, so that none waits for more than ten", async () => {
  const { telemetry, written, tick, state } = rig();
  state.hasMoreOld = false;
  const nodes = Array.from({ length: 200 }, (_, n) => `node_${n}`);
  const rounds: string[][] = [];
  for (let minute = 0; minute < 20; minute += 1) {
    telemetry.measure(nodes.map((node) => minuteOf(minute, 1, node)));
    tick();
    // The write, the one removal behind it, and its end.
    for (let turn = 0; turn < 3; turn += 1) await turnOfLoop();
    rounds.push(written.splice(0).flatMap((batch) => batch.minutes.map(({ node }) => node)));
  }
  expect(rounds.slice(0, 10).flat().toSorted()).toEqual(nodes.toSorted());
  expect(rounds.slice(10)).toEqual(rounds.slice(0, 10));
  for (const round of rounds) expect(round.length).toBeGreaterThan(5);
  await telemetry.flush();
  const waited = written.flatMap((batch) => batch.minutes.map(({ rows }) => cpus(rows).length));
  expect(Math.max(...waited)).toBe(9);
});

test("minutes that pile up are written before their turn", async () => {
  const { telemetry, minutes, values } = rig({ queuedMinutes: 20 });
  telemetry.measure(minutes(10));
  expect(values()).toEqual([]);
  telemetry.measure(minutes(11));
  await expect.poll(values).toHaveLength(11);
});

test("a reader is handed what waits and what is under way, until that has ended well or not", async () => {
  const { telemetry, state, minutes, release, handedAlong } = rig();
  const read = () => telemetry.measured({ node: "n1", from: 0, to: 60_000, stepMs: 60_000 });
  telemetry.measure(minutes(2));
  await read();
  state.isHolding = true;
  const flushed = telemetry.flush();
  telemetry.measure([minuteOf(1, 7)]);
  await read();
  release();
  await flushed;
  await read();
  state.isBroken = true;
  await telemetry.flush();
  await read();
  expect(handedAlong).toEqual([[0, 1], [0, 1, 7], [7], []]);
  expect(telemetry.dropped()).toBe(1);
});

test("a long stretch is read a hundred hours at a time, one such piece under way, however many ask", async () => {
  const { telemetry, pieces } = rig();
  const hour = 3_600_000;
  const asked = { node: "n1", from: 30 * hour, to: 250 * hour, stepMs: 80 * hour };
  const [drawn] = await Promise.all([telemetry.measured(asked), telemetry.measured({ ...asked, to: 40 * hour })]);
  expect(pieces.toSorted(([a], [b]) => a - b)).toEqual([
    [0, 70],
    [0, 10],
    [0, 100],
    [2, 50],
  ]);
  expect([drawn.minutes, drawn.curves[0]?.mean.length]).toEqual([3, 3]);
});

test("places that cannot be read are not known, and nobody who looks at the map is refused", async () => {
  const { telemetry, warnings } = rig();
  for (const _ of [1, 2]) expect(await telemetry.placesOf("geo.example.test", ["8.8.8.8"])).toEqual(new Map());
  expect(warnings).toEqual(["telemetry: reading places failed"]);
});

test("closing ends the removal of what is old, however much of it there is", async () => {
  const { telemetry, state, tick } = rig();
  tick();
  await expect.poll(() => state.prunes).toBeGreaterThan(0);
  await telemetry.close();
  const { prunes } = state;
  await telemetry.flush();
  expect(state.prunes).toBe(prunes);
});
