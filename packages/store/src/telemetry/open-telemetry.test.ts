import { describe, expect, test } from "vitest";
import { openTelemetry, type TelemetryRows } from "./open-telemetry.ts";
import type { Batch } from "./queue.ts";
import type { TelemetryLimits } from "./telemetry.ts";

/** Rows that keep what they are given when they are allowed to, and refuse when they are told to. */
function rig(limits: Partial<TelemetryLimits> = {}) {
  const written: Batch[] = [];
  const warnings: string[] = [];
  const held: (() => void)[] = [];
  const state = { isHolding: false, isBroken: false, prunes: 0 };
  const rows: TelemetryRows = {
    write: async (batch) => {
      if (state.isHolding) await new Promise<void>((resolve) => held.push(resolve));
      if (state.isBroken) throw new Error("the disk is gone");
      written.push(batch);
    },
    lastTouched: () => Promise.resolve([]),
    samples: () => Promise.resolve({ items: [], total: 0 }),
    logs: () => Promise.resolve({ items: [], total: 0 }),
    prune: async () => {
      state.prunes += 1;
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      return true;
    },
    close: () => (state.isBroken ? Promise.reject(new Error("the disk is gone")) : Promise.resolve()),
  };
  let tick = () => undefined as void;
  const telemetry = openTelemetry(rows, {
    clock: { now: () => 0 },
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
  const samples = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ node: "n", name: "x", at: n, value: n }));
  const values = () => written.flatMap((batch) => batch.samples.map(({ value }) => value));
  return { telemetry, state, warnings, release, samples, values, written, tick: () => tick() };
}

describe("telemetry over rows that fail", () => {
  test("what cannot be written is dropped and counted, and one warning tells when it begins, and again after it went well", async () => {
    const { telemetry, state, warnings, samples, values } = rig();
    state.isBroken = true;
    for (let n = 0; n < 3; n += 1) {
      telemetry.sample(samples(2));
      await telemetry.flush();
    }
    expect([telemetry.dropped(), warnings]).toEqual([6, ["telemetry: writing failed"]]);
    state.isBroken = false;
    telemetry.sample(samples(2));
    await telemetry.flush();
    expect([telemetry.dropped(), values()]).toEqual([6, [0, 1]]);
    state.isBroken = true;
    telemetry.sample(samples(1));
    await telemetry.flush();
    expect(warnings).toHaveLength(2);
  });

  test("closing does not fail either", async () => {
    const { telemetry, state, warnings, samples } = rig();
    telemetry.sample(samples(1));
    state.isBroken = true;
    await telemetry.close();
    expect(telemetry.dropped()).toBe(1);
    expect(warnings).toEqual(["telemetry: writing failed", "telemetry: closing failed"]);
  });

  test("rows that never finish a write cost a bounded queue and nothing else", async () => {
    const { telemetry, state, release, samples, values } = rig({ queuedSamples: 10 });
    state.isHolding = true;
    telemetry.sample(samples(1));
    const first = telemetry.flush();
    telemetry.sample(samples(25));
    expect(telemetry.dropped()).toBe(15);
    const second = telemetry.flush();
    expect(telemetry.flush()).toBe(second);
    release();
    await Promise.all([first, second]);
    expect(values()).toEqual([
      0,
      ...samples(25)
        .slice(15)
        .map(({ value }) => value),
    ]);
  });
});

test("a full batch is written before its time, and last use goes first", async () => {
  const { telemetry, samples, written } = rig({ batchRows: 4 });
  telemetry.sample(samples(2));
  telemetry.touch("key", 1);
  expect(written).toEqual([]);
  telemetry.sample(samples(1));
  await telemetry.flush();
  expect(written.map((batch) => [batch.touches.length, batch.samples.length])).toEqual([
    [1, 0],
    [0, 3],
  ]);
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
