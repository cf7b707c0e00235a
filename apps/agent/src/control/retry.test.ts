import { fault } from "@gatehouse/contract/faults";
import { expect, test } from "vitest";
import { isForLater, type Loss, pauseBefore, pauseForHelper } from "./retry.ts";

const loss: Loss = { code: "closed", wasOnline: false, tries: 1, windowSeconds: 20 };
const range = (more: Partial<Loss>) => [0, 1].map((random) => pauseBefore({ ...loss, ...more }, random) / 1_000);

test("after a connection that stood, hosts come back spread over the window that the server named", () => {
  expect(range({ wasOnline: true })).toEqual([0.2, 20]);
  expect(range({ wasOnline: true, windowSeconds: 600 })).toEqual([0.2, 600]);
});

test("attempts that come to nothing are spread ever wider, up to a minute", () => {
  expect([1, 2, 3, 4, 5, 6, 7, 100].map((tries) => range({ tries })[1])).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
});

test("a pause that the server asks for is kept, and hosts do not come back at one moment after it", () => {
  expect(range({ wasOnline: true, retryAfter: 3_600 })).toEqual([3_600, 3_620]);
  expect(range({ retryAfter: 0 })).toEqual([0, 20]);
});

test("what only people can mend is tried between every ten minutes and every hour", () => {
  for (const code of ["hello.revoked", "identity.cloned"]) expect(range({ code, tries: 1 })).toEqual([600, 3_600]);
});

test("a helper that is not there is asked again after pauses that grow up to a minute; one that refuses is not", () => {
  expect([1, 2, 6, 100].map((tries) => pauseForHelper(tries, 1))).toEqual([2_000, 4_000, 60_000, 60_000]);
  expect(pauseForHelper(1, 0)).toBe(200);
  expect(isForLater(fault("local.unavailable", ""))).toBe(true);
  expect(isForLater(fault("confirm.proof", ""))).toBe(false);
  expect(isForLater(new Error("local.unavailable"))).toBe(false);
});
