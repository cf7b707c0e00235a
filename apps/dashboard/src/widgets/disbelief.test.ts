import type { AuditWitnessView } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import type { AuditWitnesses } from "../api/witnesses.ts";
import { disbelieves, findDisbelief, whyOf } from "./disbelief.ts";

const at = "2026-11-17T03:09:12.000Z";
const refusing: AuditWitnessView = {
  node: `node_${"0".repeat(26)}`,
  name: "lhr2-cache-11",
  state: "refuses",
  n: 12,
  position: 48_209,
  link: "ab".repeat(32),
  at,
  toldAt: at,
  code: "witness.fork",
  since: at,
  detail: "another link",
};
const read = (items: readonly AuditWitnessView[], first: AuditWitnessView | null = null): AuditWitnesses => ({
  items: [...items],
  nextCursor: null,
  head: null,
  summary: { agree: 0, behind: 0, refuse: items.length, silent: 0, agreed: null, first },
});

test.each(["witness.fork", "witness.regressed", "witness.signature", "witness.of_a_newer_server"])(
  "a host that says %s says that the log is another one",
  (code) => {
    expect(disbelieves({ state: "refuses", code: code as "witness.fork" })).toBe(true);
  },
);

test.each(["witness.gap", "witness.damaged"] as const)("a host that says %s only cannot tell", (code) => {
  expect(disbelieves({ state: "refuses", code })).toBe(false);
  expect(findDisbelief(read([{ ...refusing, code }], { ...refusing, code }))).toBeUndefined();
});

test("nobody disbelieves a log that nobody refuses, or of which nothing is read yet", () => {
  expect(findDisbelief(undefined)).toBeUndefined();
  expect(findDisbelief(read([]))).toBeUndefined();
  expect(disbelieves({ state: "agrees", code: null })).toBe(false);
});

test("the first host that knows better is the one with the lowest position, also when the answer holds only some hosts", () => {
  const later = { ...refusing, name: "later", position: 48_300 };
  const unheld = { ...refusing, name: "unheld", position: null };
  const cannotTell = { ...refusing, name: "cannot tell", position: 3, code: "witness.gap" as const };
  expect(findDisbelief(read([unheld, later, refusing, cannotTell], cannotTell))?.first).toBe(refusing);
  expect(findDisbelief(read([later], refusing))?.first).toBe(refusing);
  expect(findDisbelief(read([unheld]))?.first).toBe(unheld);
});

test("why is a sentence, also when the server has no words for it", () => {
  expect(whyOf({ detail: "the log ends at 9" })).toBe("The log ends at 9.");
  expect(whyOf({ detail: null })).toBe("It refuses what it is shown now.");
});
