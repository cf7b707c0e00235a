import { expect, test } from "vitest";
import { openTurnstile } from "./turnstile.ts";

/** Work that goes on until it is told to end. */
function openWork() {
  const started: (() => void)[] = [];
  return { started, work: () => new Promise<void>((resolve) => void started.push(resolve)) };
}

test("so many run at once, so many wait, and the rest is turned away", async () => {
  const { started, work } = openWork();
  const turnstile = openTurnstile({ atOnce: 2, waiting: 3, refuse: () => new Error("busy") });
  const runs = Array.from({ length: 5 }, () => turnstile.run(work));
  await expect(turnstile.run(work)).rejects.toThrow("busy");
  expect(started).toHaveLength(2);
  for (let ended = 0; ended < 5; ended += 1) {
    started[ended]?.();
    await runs[ended];
    expect(started.length).toBe(Math.min(5, ended + 3));
  }
});

test("a place becomes free when work fails, too", async () => {
  const turnstile = openTurnstile({ atOnce: 1, waiting: 1, refuse: () => new Error("busy") });
  const failing = turnstile.run(() => Promise.reject(new Error("broken")));
  const next = turnstile.run(() => Promise.resolve("done"));
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("done");
  expect(await turnstile.run(() => Promise.resolve("again"))).toBe("again");
});
