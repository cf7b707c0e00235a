import { setImmediate as turn } from "node:timers/promises";
import { manualClock } from "@gatehouse/base";
import { expect, onTestFinished, test } from "vitest";
import { manualTimers } from "../../test/manual-timers.ts";
import { openMeasuring } from "./measure-minutes.ts";
import type { HostReading } from "./read-host.ts";

const first = Date.UTC(2026, 0, 1);
const minute = 60_000;
const empty = { received: 0, sent: 0 };

/** A host whose timers run as its clock does, unless a test says otherwise. `load` counts its readings. */
function startMeasuring(secondsIn: number, { hasUptime = true } = {}) {
  const clock = manualClock(first + secondsIn * 1_000);
  const timers = manualTimers();
  const host = { reads: 0, setBy: 0, asleep: 0, answer: Promise.resolve() };
  const now = () => clock.now() + host.setBy + host.asleep;
  const deps: Parameters<typeof openMeasuring>[0] = {
    clock: { now },
    timers,
    uptimeMs: () => (hasUptime ? 1_000_000 + clock.monotonic() + host.asleep : null),
    readHost: async (): Promise<HostReading> => {
      host.reads += 1;
      const reads = host.reads;
      const monotonic = clock.monotonic();
      await host.answer;
      return {
        monotonic,
        processor: { busy: monotonic / 4, total: monotonic },
        cores: null,
        load: reads,
        memory: { total: null, available: null },
        uptimeSeconds: null,
        traffic: new Map([["eth0", empty]]),
        disk: null,
      };
    },
  };
  const measuring = openMeasuring(deps);
  measuring.begin();
  onTestFinished(() => measuring.end());
  /** Lets the one timer end, so much later or earlier than it should. */
  const pass = async (offBy = 0) => {
    const [ms] = timers.running();
    if (ms === undefined) throw new Error("nobody waits");
    // What was begun has come.
    await turn();
    clock.advance(ms + offBy);
    timers.end(ms);
    await turn();
  };
  /** The held minutes: how long after the first of the year each began, in minutes, with processor and load. */
  const held = () => measuring.after(0).map(({ at, values }) => [(at - first) / minute, values[0], values[1]]);
  return { clock, timers, host, deps, measuring, pass, held };
}

test("a minute is measured at its end, named by its beginning, and compared with the one before", async () => {
  const { timers, pass, held } = startMeasuring(20);
  expect(timers.running()).toEqual([40_000]);
  await pass();
  await pass();
  expect(timers.running()).toEqual([minute]);
  expect(held()).toEqual([
    [0, 25, 2],
    [1, 25, 3],
  ]);
});

test("an agent that starts just before the minute ends has nothing to compare with, and says the rest", async () => {
  const { pass, held } = startMeasuring(57);
  await pass();
  await pass();
  expect(held()).toEqual([
    [0, null, 2],
    [1, 25, 3],
  ]);
});

test("a timer that is early waits for the rest, and one that is late is made good by the next", async () => {
  const { timers, pass, held, host } = startMeasuring(0);
  await pass(-1);
  expect([held(), host.reads, timers.running()]).toEqual([[], 1, [1]]);
  await pass();
  await pass(3_000);
  expect(timers.running()).toEqual([57_000]);
  await pass();
  expect(held().map(([at]) => at)).toEqual([0, 1, 2]);
});

test("a minute that the host has slept through is missing, and nothing is compared across the sleep", async () => {
  const { pass, held, host } = startMeasuring(0);
  await pass();
  host.asleep = 83 * minute;
  // The timer ends as long after the sleep as it had to run before it.
  await pass();
  expect(host.reads).toBe(3);
  await pass();
  expect(held()).toEqual([
    [0, 25, 2],
    [85, 25, 4],
  ]);
});

test("a process that was stopped for long says no minute for that time", async () => {
  const { pass, held } = startMeasuring(0);
  await pass(7 * minute + 21_000);
  await pass();
  expect(held()).toEqual([[8, 25, 3]]);
});

test("a clock that is set names the minutes before anew, also those that wait to be sent", async () => {
  const { pass, held, host, timers } = startMeasuring(0);
  await pass();
  await pass();
  host.setBy = 60 * minute + 7_000;
  expect(held().map(([at]) => at)).toEqual([60, 61]);
  await pass();
  expect(timers.running()).toEqual([53_000]);
  await pass();
  // The third ended in the middle of a minute of the new clock; the timer behind it was too late.
  expect(held().map(([at]) => at)).toEqual([60, 61, 63]);
});

test("a clock that is set back measures on, and no minute is named twice", async () => {
  const { pass, held, host } = startMeasuring(0);
  for (let count = 0; count < 3; count += 1) await pass();
  host.setBy = -2 * minute - 40_000;
  for (let count = 0; count < 4; count += 1) await pass();
  expect(held().map(([at]) => at)).toEqual([-3, -2, -1, 1, 2, 3]);
});

test("a host that does not say how long it runs measures on, and names nothing anew", async () => {
  const { pass, held, host } = startMeasuring(0, { hasUptime: false });
  await pass();
  host.setBy = -10_000;
  await pass();
  await pass();
  expect(held().map(([at]) => at)).toEqual([0, 1]);
  host.setBy = -10 * minute;
  await pass();
  await pass();
  expect(held().map(([at]) => at)).toEqual([0, 1]);
});

test("a minute that ends while a reading is under way is missing", async () => {
  const { pass, held, host, clock, timers } = startMeasuring(0);
  await pass();
  const slow = Promise.withResolvers<void>();
  host.answer = slow.promise;
  clock.advance(minute);
  timers.end(minute);
  clock.advance(minute);
  timers.end(minute);
  expect(host.reads).toBe(3);
  slow.resolve();
  await expect.poll(held).toEqual([
    [0, 25, 2],
    [1, 25, 3],
  ]);
  await pass();
  expect(held().map(([at]) => at)).toEqual([0, 1, 3]);
});

test("what has ended neither waits nor measures, nor keeps what was being read", async () => {
  const { clock, held, host, measuring, timers } = startMeasuring(0);
  await turn();
  const slow = Promise.withResolvers<void>();
  host.answer = slow.promise;
  clock.advance(minute);
  timers.end(minute);
  expect(host.reads).toBe(2);
  measuring.end();
  slow.resolve();
  await slow.promise;
  expect(timers.running()).toEqual([]);
  expect(held()).toEqual([]);
});

test("what was never begun may be ended", () => {
  const { deps, host } = startMeasuring(0);
  openMeasuring(deps).end();
  expect(host.reads).toBe(1);
});

test("what is acknowledged is held no more", async () => {
  const { pass, held, measuring } = startMeasuring(0);
  await pass();
  await pass();
  measuring.forget(1);
  expect(held().map(([at]) => at)).toEqual([1]);
});
