import { manualClock } from "@gatehouse/base";
import { pruneBefore } from "@gatehouse/store";
import { expect, test } from "vitest";
import { inventedEntry } from "../../../../../tests/support/invented-entry.ts";
import { farStore } from "../../../test/far-store.ts";
import { auditLimits } from "./limits.ts";
import { openRetention } from "./open-retention.ts";

const day = 24 * 60 * 60 * 1_000;

function start(days: number | undefined, isWhole = true) {
  const store = farStore();
  const clock = manualClock();
  const lines: string[] = [];
  let tick = (): void => undefined;
  const retention = openRetention({
    prune: (by, time) => pruneBefore(store, by, time),
    clock,
    log: { info: (line) => void lines.push(line), error: (line) => void lines.push(line) },
    every: (_ms, act) => {
      tick = act;
      return () => undefined;
    },
    days,
    isWhole: () => isWhole,
  });
  return {
    retention,
    lines,
    write: () => store.commit(inventedEntry({ at: clock.now(), actor: "system", action: "x.made", subject: "x/1" })),
    afterDays: (count: number) => clock.advance(count * day),
    hour: async () => {
      clock.advance(auditLimits.retentionEveryMs);
      tick();
      // Waits for what is under way.
      await retention.close();
    },
    positions: async () =>
      (await store.searchAudit({ order: "oldest", limit: 99 })).items.map(({ position }) => position),
  };
}

test("records are forgotten when they are older than they are to be kept, once a day, and that is a record", async () => {
  const { write, afterDays, hour, positions, lines } = start(30);
  await write();
  afterDays(20);
  await write();
  await hour();
  expect(await positions()).toEqual([1, 2]);
  afterDays(11);
  await hour();
  await hour();
  expect(await positions()).toEqual([2, 3]);
  expect(lines).toEqual(["old audit records were pruned"]);
});

test("without a number of days every record is kept", async () => {
  const { write, afterDays, positions, lines, retention } = start(undefined);
  await write();
  afterDays(10_000);
  await retention.close();
  expect([await positions(), lines]).toEqual([[1], []]);
});

test("of a log that is not known to be as it was written nothing is forgotten", async () => {
  const { write, afterDays, hour, positions } = start(30, false);
  await write();
  afterDays(365);
  await hour();
  expect(await positions()).toEqual([1]);
});
