import { expect, test } from "vitest";
import { openInTurn } from "./in-turn.ts";

test("work about one thing runs in its order, one at a time, also after one failed", async () => {
  const inTurn = openInTurn();
  const events: string[] = [];
  const work = (name: string, fails = false) =>
    inTurn("netguard", async () => {
      events.push(`${name} begins`);
      await Promise.resolve();
      events.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const results = await Promise.allSettled([work("one"), work("two", true), work("three")]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(events).toEqual(["one begins", "one ends", "two begins", "two ends", "three begins", "three ends"]);
});

test("work about another thing does not wait", async () => {
  const inTurn = openInTurn();
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = inTurn("netguard", () => promise);
  expect(await inTurn("wireguard", () => Promise.resolve("done"))).toBe("done");
  resolve();
  await slow;
});
