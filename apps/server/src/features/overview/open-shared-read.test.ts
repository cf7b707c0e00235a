import { manualClock } from "@gatehouse/base";
import { expect, test } from "vitest";
import { openSharedRead } from "./open-shared-read.ts";

const unsettled = 99;

/** A reading that ends when the test says so, and how many have begun. */
function setUp() {
  const clock = manualClock();
  const begun: { end(value: number): void; fail(): void }[] = [];
  const waits: number[] = [];
  const shared = openSharedRead<number>({
    clock,
    freshMs: 5_000,
    pauseMs: 250,
    mayKeep: (value) => value !== unsettled,
    later: (ms) => {
      waits.push(ms);
      clock.advance(ms);
      return Promise.resolve();
    },
    make: () =>
      new Promise((resolve, reject) => begun.push({ end: resolve, fail: () => reject(new Error("no answer")) })),
  });
  return { clock, begun, waits, shared };
}

test("a thousand who ask while nothing changes share one reading, and so do those who ask soon after", async () => {
  const { clock, begun, shared } = setUp();
  const asked = Array.from({ length: 1_000 }, () => shared.read());
  begun[0]?.end(7);
  expect(new Set(await Promise.all(asked))).toEqual(new Set([7]));
  clock.advance(5_000);
  expect(await shared.read()).toBe(7);
  expect(begun).toHaveLength(1);
});

test("what the passing of time alone may change is read anew each time", async () => {
  const { begun, shared } = setUp();
  const first = shared.read();
  begun[0]?.end(unsettled);
  expect(await first).toBe(unsettled);
  const second = shared.read();
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.end(2);
  expect([await second, await shared.read()]).toEqual([2, 2]);
});

test("what is old is read again", async () => {
  const { clock, begun, shared } = setUp();
  const first = shared.read();
  begun[0]?.end(1);
  await first;
  clock.advance(5_001);
  const second = shared.read();
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.end(2);
  expect(await second).toBe(2);
});

test("whoever asks after a change gets a reading that began after it, all of them the same one", async () => {
  const { begun, shared } = setUp();
  const before = shared.read();
  shared.forget();
  const after = Array.from({ length: 100 }, () => shared.read());
  expect(begun).toHaveLength(1);
  begun[0]?.end(1);
  expect(await before).toBe(1);
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.end(2);
  expect(new Set(await Promise.all(after))).toEqual(new Set([2]));
  expect(begun).toHaveLength(2);
});

test("however often something changes, two readings begin no nearer to each other than the pause", async () => {
  const { clock, begun, waits, shared } = setUp();
  for (let n = 0; n < 5; n += 1) {
    const asked = shared.read();
    await expect.poll(() => begun.length).toBe(n + 1);
    clock.advance(50);
    begun[n]?.end(n);
    await asked;
    shared.forget();
  }
  expect(waits).toEqual([200, 200, 200, 200]);
});

test("a reading that fails is told to those who asked for it, and to nobody else", async () => {
  const { begun, shared } = setUp();
  const first = shared.read();
  shared.forget();
  const second = shared.read();
  begun[0]?.fail();
  await expect(first).rejects.toThrow("no answer");
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.end(2);
  expect(await second).toBe(2);
});
