import type { Store } from "@gatehouse/store";
import { expect, test } from "vitest";
import { judgeHeld } from "./judge-held.ts";

const held = { n: 3, position: 30, link: "a".repeat(64), at: 1 };

/** A log of 50 entries whose floor moves while its links are read. */
function prunedMeanwhile(floorAfter: number) {
  let floor = 0;
  return {
    head: async () => ({ position: 50, link: "c".repeat(64) }),
    get: (async () => ({ value: { position: floor, link: "b".repeat(64) } })) as unknown as Store["get"],
    linkAt: async () => {
      floor = floorAfter;
      return undefined;
    },
  };
}

test("what was pruned while it was looked for is no other log", async () => {
  expect(await judgeHeld(prunedMeanwhile(40), { held, code: null })).toBeUndefined();
  expect(await judgeHeld(prunedMeanwhile(20), { held, code: null })).toMatchObject({ code: "witness.fork" });
});
