import { expect, test } from "vitest";
import { watchReader } from "./connections.ts";
import { edgeLimits } from "./limits.ts";

function socket(writableLength: number, timeout: number) {
  const set: number[] = [];
  return { set, writableLength, timeout, setTimeout: (ms: number) => void set.push(ms) };
}

test("a reader for whom bytes wait gets a time limit, once; others get none", () => {
  const [behind, upToDate, watched] = [socket(5, 0), socket(0, 0), socket(5, 1_000)];
  for (const one of [behind, upToDate, watched]) watchReader(one as never);
  expect([behind.set, upToDate.set, watched.set]).toEqual([[edgeLimits.idleTimeoutMs], [], []]);
});
