import { expect, test } from "vitest";
import type { AuditCheck } from "../../api/audit.ts";
import { chainVerdict } from "../../widgets/chain-verdict.ts";
import { chainEnds } from "./chain-ends.ts";

const at = "2026-11-17T03:12:04.000Z";
const check: AuditCheck = {
  state: "ok",
  isRunning: false,
  endedAt: at,
  position: 48_000,
  verified: { position: 48_213, at },
  newer: 4,
  begins: 9_001,
  broken: null,
  rebuilt: null,
};
const link = "ab".repeat(32);
const asked = {
  ok: true,
  floor: { position: 9_000, link },
  head: { position: 48_217, link },
  records: 39_217,
  broken: null,
};

test("the end is what was walked and what was written since", () => {
  expect(chainEnds(chainVerdict(check), check)).toEqual({ begins: 9_001, checked: 48_213, head: 48_217 });
});

test("what a person asked for may be ahead of what the server says it walked", () => {
  const ends = { begins: 9_001, checked: 48_217, head: 48_217 };
  expect(chainEnds(chainVerdict(check, asked), check)).toEqual(ends);
  expect(chainEnds(chainVerdict(undefined, asked), undefined)).toEqual({ ...ends, begins: 1 });
});

test("a log that nobody has walked, or that is broken, has no ends", () => {
  const broken = { file: "logs.db", position: 3, expected: "one", found: "another", todo: "look" };
  expect(chainEnds(chainVerdict({ ...check, verified: null }), { ...check, verified: null })).toBeUndefined();
  expect(chainEnds(chainVerdict({ ...check, broken }), check)).toBeUndefined();
});
