import { createHash } from "node:crypto";
import { importPrivateKey, signBytes } from "@gatehouse/keys";
import { expect, test } from "vitest";
import { controlFrames, readControlFrame, writeControlFrame } from "./control-frames.ts";
import { encodeBase64url } from "./base64url.ts";
import { channelLimits } from "./limits.ts";
import {
  noHead,
  packHeadRows,
  readWitnessHead,
  unpackHeadRows,
  type WitnessHead,
  witnessHeadFrame,
} from "./witness-head.ts";

const head: WitnessHead = {
  n: 7,
  prev: new Uint8Array(32).fill(1),
  position: 4711,
  link: new Uint8Array(32).fill(2),
  at: 1_800_000_000_000,
};

/** Kept by hosts for years: whoever changes a byte of it makes a line that no host takes for the one it saw. */
test("a head has the bytes of its vector", () => {
  const framed = witnessHeadFrame(head);
  expect(framed.byteLength).toBe(141);
  expect(createHash("sha256").update(framed).digest("hex")).toBe(
    "627721a619f12257c5526fd623fea0fe4a0b94677c2306ac8ac47d26337c52a0",
  );
  const signature = signBytes(importPrivateKey(new Uint8Array(32).fill(5)), framed);
  expect(Buffer.from(signature.subarray(0, 16)).toString("hex")).toBe("ae47f6bcc12f647090771699b4bc886a");
});

test("a head is read as it was made, and nothing else is one", () => {
  const framed = witnessHeadFrame(head);
  expect(readWitnessHead(framed)).toEqual(head);
  expect(readWitnessHead(framed.subarray(0, -1))).toBeUndefined();
  expect(readWitnessHead(Buffer.concat([framed, new Uint8Array(1)]))).toBeUndefined();
  expect(readWitnessHead(witnessHeadFrame({ ...head, n: 0 }))).toBeUndefined();
  expect(readWitnessHead(witnessHeadFrame({ ...head, link: new Uint8Array(31) }))).toBeUndefined();
  expect(readWitnessHead(witnessHeadFrame({ ...head, prev: noHead }))?.prev).toEqual(noHead);
});

test("rows come back as they were packed, and half a row is none", () => {
  const rows = [head, { ...head, position: 4712 }].map(({ position, link, at }) => ({ position, link, at }));
  const packed = packHeadRows(rows);
  expect(packed.byteLength).toBe(96);
  expect(unpackHeadRows(packed)).toEqual(rows);
  expect(unpackHeadRows(packed.subarray(1))).toBeUndefined();
  expect(unpackHeadRows(new Uint8Array())).toEqual([]);
  expect(unpackHeadRows(new Uint8Array(48).fill(255))).toBeUndefined();
  expect(() => packHeadRows([{ ...head, link: new Uint8Array(33) }])).toThrow(RangeError);
});

test("a full page fits into its frame, and one with a row more does not", () => {
  const page = (rows: number) =>
    writeControlFrame({
      t: "heads",
      from: Number.MAX_SAFE_INTEGER,
      rows: encodeBase64url(new Uint8Array(rows * 48)),
      signed: encodeBase64url(new Uint8Array(4 + 141 + 64)),
    });
  expect(page(channelLimits.headRows).length).toBeLessThanOrEqual(controlFrames.heads.most);
  expect(readControlFrame(page(channelLimits.headRows), "server")).toMatchObject({ t: "heads" });
  expect(() => readControlFrame(page(channelLimits.headRows + 1), "server")).toThrow(/frame\.malformed/);
});

test("what a host says of the head that it holds is the host's to say, and heads are the server's", () => {
  const told = writeControlFrame({
    t: "~witness",
    held: { n: 7, position: 4711, link: "02".repeat(32), at: 1 },
    code: "witness.fork",
  });
  expect(readControlFrame(told, "agent")).toMatchObject({ t: "~witness", code: "witness.fork" });
  expect(() => readControlFrame(told, "server")).toThrow(/frame\.unknown/);
  for (const frame of [{ t: "head", signed: "AA" } as const, { t: "heads", from: 1, rows: "", signed: "AA" } as const])
    expect(() => readControlFrame(writeControlFrame(frame), "agent")).toThrow(/frame\.unknown/);
  expect(readControlFrame(writeControlFrame({ t: "want-heads", from: 8 }), "agent")).toEqual({
    t: "want-heads",
    from: 8,
  });
});
