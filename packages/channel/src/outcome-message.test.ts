import { createHash } from "node:crypto";
import { importPrivateKey, nodeIdOf, publicKeyBytes } from "@gatehouse/keys";
import { expect, test } from "vitest";
import { outcomeFrame, readOutcome, type SignedOutcome } from "./outcome-message.ts";

const hostKey = publicKeyBytes(importPrivateKey(new Uint8Array(32).fill(1)));
const told: SignedOutcome = {
  nodeId: nodeIdOf(hostKey),
  hostKey,
  task: `task_${"0".repeat(26)}`,
  approvalId: new Uint8Array(16).fill(0xab),
  planDigest: new Uint8Array(32).fill(0xcd),
  index: 3,
  outcome: "rolled_back",
  at: 1_800_000_000_000,
  journalSeq: 9,
  journalLink: new Uint8Array(32).fill(0xef),
  detail: { code: "confirm.late", detail: "no proof before the deadline", foreign: ["firewall:gatehouse_web"] },
};

/** Signed by hosts: whoever changes a byte of it makes outcomes that nobody can check any more. */
test("an outcome has the bytes of its vector", () => {
  const framed = outcomeFrame(told);
  expect(framed.byteLength).toBe(399);
  expect(createHash("sha256").update(framed).digest("hex")).toBe(
    "5c31c22906b1cc4d2dc917778a65e451b3c24da41c99cf9908ced652cbd53c7b",
  );
});

test("an outcome is read as it was made", () => {
  expect(readOutcome(outcomeFrame(told))).toEqual(told);
});

test("an outcome carries what was read, and one of a host that read nothing has the bytes it always had", () => {
  const read = { ...told, detail: { ...told.detail, told: [{ operation: 2, lines: ["ready", ""] }] } };
  expect(readOutcome(outcomeFrame(read))).toEqual(read);
  const failed = { ...told, detail: { ...told.detail, told: [{ operation: 0, lines: [], code: "path.symlink" }] } };
  expect(readOutcome(outcomeFrame(failed))).toEqual(failed);
});

test.each([
  ["a line that is too long", { detail: { ...told.detail, told: [{ operation: 0, lines: ["x".repeat(401)] }] } }],
  ["an end that no host has", { outcome: "unknown" as never }],
  ["a key of another length", { hostKey: new Uint8Array(33) }],
  ["an approval of another length", { approvalId: new Uint8Array(15) }],
  ["a link of another length", { journalLink: new Uint8Array(31) }],
  ["a field more", { detail: { ...told.detail, more: 1 } as never }],
  [
    "more foreign parts than a plan has",
    { detail: { ...told.detail, foreign: Array.from({ length: 65 }, () => "x") } },
  ],
])("an outcome with %s is none", (_, changed) => {
  expect(readOutcome(outcomeFrame({ ...told, ...changed }))).toBeUndefined();
});

test("an outcome with a byte more, or one that is cut short, is none", () => {
  const framed = outcomeFrame(told);
  expect(readOutcome(Buffer.concat([framed, new Uint8Array(1)]))).toBeUndefined();
  expect(readOutcome(framed.subarray(0, -1))).toBeUndefined();
});
