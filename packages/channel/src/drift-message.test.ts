import { importPrivateKey, nodeIdOf, publicKeyBytes } from "@gatehouse/keys";
import { expect, test } from "vitest";
import { type DriftPart, driftFrame, readDrift, type SignedDrift } from "./drift-message.ts";
import { channelLimits } from "./limits.ts";

const hostKey = publicKeyBytes(importPrivateKey(new Uint8Array(32).fill(1)));
const part: DriftPart = {
  subject: "file:/etc/motd",
  task: `task_${"0".repeat(26)}`,
  plan: "a".repeat(64),
  confirmedAt: 1_800_000_000_000,
  expected: "b".repeat(64),
  state: "differs",
  found: "c".repeat(64),
  why: "",
};
const told: SignedDrift = {
  nodeId: nodeIdOf(hostKey),
  hostKey,
  number: 7,
  at: 1_800_000_001_000,
  drift: {
    watched: 3,
    more: 0,
    parts: [
      part,
      { ...part, subject: "file:/etc/gone", state: "missing", found: null },
      { ...part, subject: "file:/etc/far", state: "unread", found: null, why: "read.limit: it took too long" },
    ],
  },
};
const withParts = (parts: readonly object[]) => ({ ...told, drift: { ...told.drift, parts: parts as DriftPart[] } });

test("what a host tells of its drift is read as it was made", () => {
  expect(readDrift(driftFrame(told))).toEqual(told);
});

test.each([
  ["a part that differs and has no digest", withParts([{ ...part, found: null }])],
  ["a part that is gone and has one", withParts([{ ...part, state: "missing" }])],
  ["a part that nobody could read, without a reason", withParts([{ ...part, state: "unread", found: null }])],
  ["a part that is said to be the same", withParts([{ ...part, state: "same" }])],
  ["one part twice", withParts([part, part])],
  ["a field more", withParts([{ ...part, more: 1 }])],
  ["a subject that is too long", withParts([{ ...part, subject: "a".repeat(601) }])],
  [
    "more parts than a message has",
    withParts(Array.from({ length: channelLimits.driftParts + 1 }, (_, n) => ({ ...part, subject: `file:/${n}` }))),
  ],
  ["a key of another length", { ...told, hostKey: new Uint8Array(31) }],
])("a message with %s is none", (_, changed) => {
  expect(readDrift(driftFrame(changed))).toBeUndefined();
});

test("a message with a byte more, or one that is cut short, is none", () => {
  const framed = driftFrame(told);
  expect(readDrift(Buffer.concat([framed, new Uint8Array(1)]))).toBeUndefined();
  expect(readDrift(framed.subarray(0, -1))).toBeUndefined();
});
