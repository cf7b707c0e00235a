import type { Enrolment } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { sampleNode } from "../Fleet/sample-node.ts";
import { enrolProgress, leftWords } from "./enrol-progress.ts";

const node = sampleNode();
const code = (changes: Partial<Enrolment> = {}): Enrolment => ({
  id: "c1",
  name: null,
  tags: [],
  createdAt: "2026-11-17T03:12:00.000Z",
  createdBy: "usr_1",
  expiresAt: "2026-11-17T03:27:00.000Z",
  state: "open",
  nodeId: null,
  ...changes,
});

test("a code is waited for from the moment it is made", () => {
  expect(enrolProgress(undefined, "c1", undefined).kind).toBe("waiting");
  expect(enrolProgress([code()], "c1", undefined).kind).toBe("waiting");
});

test("a host that used the code is on its way until it is online", () => {
  const used = [code({ state: "used", nodeId: node.id })];
  expect(enrolProgress(used, "c1", undefined)).toEqual({ kind: "arriving", nodeId: node.id });
  expect(enrolProgress(used, "c1", sampleNode({ state: "unknown" })).kind).toBe("arriving");
  expect(enrolProgress(used, "c1", node).kind).toBe("here");
});

test("another node than the code's says nothing about it", () => {
  const used = [code({ state: "used", nodeId: "node_other" })];
  expect(enrolProgress(used, "c1", node)).toEqual({ kind: "arriving", nodeId: "node_other" });
});

test("a node that was turned away stays turned away", () => {
  const used = [code({ state: "used", nodeId: node.id })];
  expect(enrolProgress(used, "c1", sampleNode({ state: "revoked" })).kind).toBe("turned-away");
});

test("a code ends by time, by a person, or because nobody remembers it", () => {
  expect(enrolProgress([code({ state: "expired" })], "c1", undefined).kind).toBe("expired");
  expect(enrolProgress([code({ state: "revoked" })], "c1", undefined).kind).toBe("cancelled");
  expect(enrolProgress([], "c1", undefined).kind).toBe("expired");
});

test.each([
  [760_000, "12 min 40 s"],
  [59_001, "1 min 0 s"],
  [900, "1 s"],
  [-5, "0 s"],
  [7_260_000, "2 h 1 min"],
])("%i ms are %s", (ms, words) => {
  expect(leftWords(ms)).toBe(words);
});
