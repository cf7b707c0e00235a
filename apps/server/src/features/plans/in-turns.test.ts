import { expect, test } from "vitest";
import { mapInTurns } from "./in-turns.ts";
import { plansLimits } from "./limits.ts";

test("what is done for many hosts keeps their order, and others have their turn after every few", async () => {
  const items = Array.from({ length: 4 * plansLimits.hostsRead }, (_, at) => at);
  let turns = 0;
  let isDone = false;
  const others = () => {
    turns += 1;
    if (!isDone) setImmediate(others);
  };
  setImmediate(others);
  expect(await mapInTurns(items, (item) => item + 1)).toEqual(items.map((item) => item + 1));
  isDone = true;
  expect(turns).toBeGreaterThanOrEqual(3);
});

test("what takes time is waited for, one after the other", async () => {
  const order: string[] = [];
  const done = await mapInTurns(["a", "b"], async (item) => {
    order.push(`${item} begins`);
    await Promise.resolve();
    order.push(`${item} ends`);
    return item;
  });
  expect([done, order]).toEqual([
    ["a", "b"],
    ["a begins", "a ends", "b begins", "b ends"],
  ]);
});
