import { expect, test } from "vitest";
import type { AuditCheck, AuditVerification } from "../api/audit.ts";
import { chainVerdict, newerWords } from "./chain-verdict.ts";

const at = "2026-11-16T08:00:00.000Z";
const check: AuditCheck = {
  state: "ok",
  isRunning: false,
  endedAt: at,
  position: 2,
  verified: { position: 3, at },
  newer: 10,
  begins: 1,
  broken: null,
  rebuilt: null,
};
const link = "ab".repeat(32);
const asked: AuditVerification = {
  ok: true,
  floor: { position: 0, link },
  head: { position: 13, link },
  records: 13,
  broken: null,
};
const flaw = { file: "logs.db", position: 2, expected: "one thing", found: "another" };

test("without an answer of the server nothing is said, and while it looks for the first time only that", () => {
  expect(chainVerdict(undefined)).toEqual({ kind: "unknown" });
  expect(chainVerdict({ ...check, state: "checking", verified: null })).toEqual({ kind: "checking" });
});

test("the server's verdict says how far, when, and how many are newer", () => {
  expect(chainVerdict(check)).toEqual({ kind: "verified", position: 3, at, newer: 10 });
  expect([newerWords(0), newerWords(1_234)]).toEqual(["", ", 1,234 newer"]);
});

test("what a person asked for is shown, until the server has read further by itself", () => {
  expect(chainVerdict(check, asked)).toEqual({ kind: "asked", found: asked });
  expect(chainVerdict(undefined, asked)).toEqual({ kind: "asked", found: asked });
  expect(chainVerdict({ ...check, verified: { position: 14, at } }, asked)).toMatchObject({
    kind: "verified",
    position: 14,
  });
});

test("damage wins over every good word, whoever met it", () => {
  const failed: AuditCheck = { ...check, state: "failed", broken: { ...flaw, todo: "look" } };
  expect(chainVerdict(failed, asked)).toMatchObject({ kind: "broken", broken: flaw });
  expect(chainVerdict(check, { ...asked, ok: false, broken: flaw })).toMatchObject({ kind: "broken", broken: flaw });
});
