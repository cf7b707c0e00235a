import { expect, test } from "vitest";
import { openTurns } from "./turns.ts";

test("work about one thing waits for its turn; other work does not", async () => {
  const inTurn = openTurns();
  const told: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = inTurn(["a"], async () => {
    await promise;
    told.push("first of a");
  });
  const second = inTurn(["a", "b"], async () => void told.push("a and b"));
  const third = inTurn(["b"], async () => void told.push("second of b"));
  await inTurn(["c"], async () => void told.push("c"));
  resolve();
  await Promise.all([first, second, third]);
  expect(told).toEqual(["c", "first of a", "a and b", "second of b"]);
});

test("what fails gives its turn on, and two that name the same things in another order do not wait for each other", async () => {
  const inTurn = openTurns();
  const failing = inTurn(["a", "b"], () => Promise.reject(new Error("mine")));
  const after = inTurn(["b", "a"], () => Promise.resolve("done"));
  await expect(failing).rejects.toThrow("mine");
  expect(await after).toBe("done");
  expect(await inTurn(["a", "a"], () => Promise.resolve("once"))).toBe("once");
});
