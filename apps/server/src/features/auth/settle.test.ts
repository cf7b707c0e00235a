import { fault } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { authLimits } from "./limits.ts";
import { openSettle } from "./settle.ts";

const pause = () =>
  new Promise<void>((resolve) => {
    setImmediate(resolve);
  });

test("decisions about one user are made one after the other, in the order in which they came", async () => {
  const settle = openSettle();
  const log: string[] = [];
  const decision = (users: readonly string[], name: string) =>
    settle(users, async () => {
      log.push(`${name} begins`);
      await pause();
      log.push(`${name} ends`);
    });
  await Promise.all([decision(["a"], "first"), decision(["a", "b"], "second"), decision(["b"], "third")]);
  expect(log).toEqual(["first begins", "first ends", "second begins", "second ends", "third begins", "third ends"]);
});

test("decisions about different users do not wait for each other", async () => {
  const settle = openSettle();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const waiting = settle(["a"], () => released);
  expect(await settle(["b"], () => Promise.resolve("done"))).toBe("done");
  release();
  await waiting;
});

test("two decisions that name the same users in another order both end", async () => {
  const settle = openSettle();
  const all = Array.from({ length: 100 }, (_, i) => settle(i % 2 === 0 ? ["a", "b"] : ["b", "a"], pause));
  await Promise.all(all);
});

test("one that fails lets the next one go on", async () => {
  const settle = openSettle();
  const failing = settle(["a"], () => Promise.reject(new Error("broken")));
  const next = settle(["a"], () => Promise.resolve("done"));
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("done");
});

test("a conflict with another process is tried again, and given up on in the end", async () => {
  const settle = openSettle();
  let tries = 0;
  const late = async () => {
    tries += 1;
    if (tries < 3) throw fault("store.conflict", "another came first");
    return tries;
  };
  expect(await settle(["a"], late)).toBe(3);
  tries = -1_000;
  await expect(settle(["a"], late)).rejects.toThrow(/another came first/);
  expect(tries).toBe(-1_000 + authLimits.attempts);
});
