import { expect, test } from "vitest";
import { linesOfHost } from "./log-cases.ts";
import type { FitLogBatch } from "./log-batch.ts";
import type { BoundLogQuery } from "./log-query.ts";
import type { LogRows } from "./log-rows.ts";
import { openLogs } from "./open-logs.ts";
import type { LogLine } from "./telemetry.ts";
import { telemetryLimits } from "./telemetry.ts";

/** Rows that answer when they are allowed to. */
function rig(more: Partial<LogRows> = {}) {
  const held: (() => void)[] = [];
  const put: FitLogBatch[] = [];
  const state = { isOpen: true, isHolding: false, isBroken: false, failures: 0 };
  const rows: LogRows = {
    putLogs: async (batch) => {
      put.push(batch);
      if (state.isHolding) await new Promise<void>((resolve) => held.push(resolve));
      if (state.isBroken) throw new Error("the disk is gone");
    },
    logCheckpoint: async () => undefined,
    searchLogs: async () => ({ items: [], rows: 0, goOn: undefined, last: 0 }),
    countLogs: () => Promise.reject(new Error("nobody counts here")),
    ...more,
  };
  const logs = openLogs({
    rows,
    now: () => 0,
    mayGrow: () => true,
    attempt: async (_, work) => {
      try {
        await work();
        return true;
      } catch {
        state.failures += 1;
        return false;
      }
    },
    isOpen: () => state.isOpen,
    mostLogBytes: telemetryLimits.mostLogBytes,
    keepLogsMs: telemetryLimits.keepLogsMs,
    limits: { ...telemetryLimits, logRows: 50 },
  });
  const release = () => {
    for (const go of held.splice(0)) go();
  };
  return { logs, put, state, release };
}

const lineOf = (id: number): LogLine => ({
  id,
  node: "n1",
  source: "s",
  at: id,
  level: undefined,
  text: "",
  dropped: undefined,
});

test("one batch is on its way, the others wait for it, and when this is closed those are refused", async () => {
  const { logs, put, state, release } = rig();
  state.isHolding = true;
  const answers = ["a", "b", "c"].map((text) => logs.putLogs(linesOfHost([text])));
  await expect.poll(() => put).toHaveLength(1);
  state.isOpen = false;
  const landed = logs.landed();
  release();
  expect(await Promise.all(answers)).toEqual([true, false, false]);
  await landed;
  expect(put).toHaveLength(1);
});

test("a disk that fails refuses one batch, and the next one is tried", async () => {
  const { logs, state } = rig();
  state.isBroken = true;
  expect(await logs.putLogs(linesOfHost(["a"]))).toBe(false);
  state.isBroken = false;
  expect(await logs.putLogs(linesOfHost(["a"]))).toBe(true);
  expect(state.failures).toBe(1);
});

test("a search goes on piece by piece, one piece at a time, until it is full", async () => {
  const asked: Pick<BoundLogQuery, "high" | "limit">[] = [];
  let under = 0;
  const { logs } = rig({
    searchLogs: async ({ high, limit }) => {
      under += 1;
      expect(under).toBe(1);
      asked.push({ high, limit });
      await new Promise((resolve) => setImmediate(resolve));
      under -= 1;
      return { items: [lineOf(high)], rows: 0, goOn: high - 10, last: 500 };
    },
  });
  const [first, second] = await Promise.all([1, 2].map((limit) => logs.searchLogs({ limit, before: 101 })));
  expect([first?.items.map(({ id }) => id), second?.items.map(({ id }) => id)]).toEqual([[100], [100, 90]]);
  expect([first?.more, second?.more]).toEqual([true, true]);
  expect(asked.filter(({ high }) => high === 100).map(({ limit }) => limit)).toEqual([2, 3]);
});

test("a search that looks at too many lines in vain ends with what it has, and says from where to go on", async () => {
  let pieces = 0;
  const { logs } = rig({
    searchLogs: async ({ low, isForward }) => {
      pieces += 1;
      expect(isForward).toBe(true);
      return { items: pieces === 2 ? [lineOf(low)] : [], rows: 20, goOn: low + 20, last: 500 };
    },
  });
  const { items, more, seen } = await logs.searchLogs({ limit: 5, after: 9 });
  expect([pieces, more, items.map(({ id }) => id), seen]).toEqual([3, true, [30], 69]);
});

test("a search ends when this is closed, and one that fails holds up no other", async () => {
  let pieces = 0;
  const { logs, state } = rig({
    searchLogs: async ({ high }) => {
      pieces += 1;
      if (pieces === 1) throw new Error("the thread has ended");
      state.isOpen = pieces < 5;
      return { items: [], rows: 0, goOn: high - 1, last: 500 };
    },
  });
  const [failed, ended] = await Promise.allSettled([logs.searchLogs({ limit: 1 }), logs.searchLogs({ limit: 1 })]);
  expect([failed.status, ended.status, pieces]).toEqual(["rejected", "fulfilled", 5]);
});
