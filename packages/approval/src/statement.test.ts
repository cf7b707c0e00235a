import { encodeText, frame, u8, u32, u64 } from "@gatehouse/keys/frame";
import { describe, expect, test } from "vitest";
import { hasSection, sectionBits, sectionsOf } from "./section-bits.ts";
import { approvalFrame, findDomain, isApprovalDomain, readApproval } from "./statement.ts";
import { vectorApproval, vectorFrame } from "./verify/approval-cases.ts";

const bytes = Uint8Array.fromHex(vectorFrame);

test("the bytes of a statement are those of the protocol's vector", () => {
  expect(bytes.byteLength).toBe(223);
  expect(approvalFrame(vectorApproval).toHex()).toBe(vectorFrame);
  expect(readApproval(bytes)).toEqual(vectorApproval);
});

test("a statement at an offset of a larger buffer is read as any other", () => {
  const padded = new Uint8Array([1, 2, 3, ...bytes]).subarray(3);
  expect(readApproval(padded)).toEqual(vectorApproval);
  expect(findDomain(padded)).toEqual(encodeText("gatehouse-approve-plan-v1"));
});

test("a statement about many sections and 64 trust files is read back", () => {
  const trust = Array.from({ length: 64 }, (_, index) => index.toString(16).padStart(64, "0"));
  const sections = sectionBits(10_000, [0, 8, 9_999]);
  const approval = { ...vectorApproval, trust, sections, confirmation: 255, settle: 4_294_967_295 };
  expect(readApproval(approvalFrame(approval))).toEqual(approval);
});

describe("what is no statement", () => {
  test("bytes that were cut, or have a byte behind", () => {
    for (let length = 0; length < bytes.byteLength; length += 1) {
      expect(readApproval(bytes.subarray(0, length))).toBeUndefined();
      expect(findDomain(bytes.subarray(0, length))).toBeUndefined();
    }
    expect(readApproval(new Uint8Array([...bytes, 0]))).toBeUndefined();
    expect(findDomain(new Uint8Array([...bytes, 0]))).toBeUndefined();
  });

  test("another domain", () => {
    const other = new Uint8Array(bytes);
    other[32] = 0x32; // …-v2
    expect(readApproval(other)).toBeUndefined();
    expect(isApprovalDomain(findDomain(other) ?? new Uint8Array())).toBe(false);
    expect(isApprovalDomain(findDomain(bytes) ?? new Uint8Array())).toBe(true);
  });

  test.each([
    ["no trust file", { digests: [] }],
    ["65 trust files", { digests: Array<string>(65).fill("00".repeat(32)) }],
    ["another number of trust files than it says", { trustCount: 2 }],
    ["a trust digest of another length", { digests: ["00".repeat(31)] }],
    ["a spare bit set", { bits: Uint8Array.of(0xe0) }],
    ["no bit set", { bits: Uint8Array.of(0) }],
    ["a byte of bits too many", { bits: Uint8Array.of(0xc0, 0) }],
    ["a byte of bits missing", { sections: 9 }],
    ["no section", { sections: 0, bits: new Uint8Array() }],
    ["more sections than it has bits for", { sections: 4_294_967_295 }],
    ["an id of another length", { approvalId: new Uint8Array(15) }],
    ["a start above 2^53", { issuedAt: new Uint8Array(8).fill(255) }],
    ["a first moment above 2^53", { notBefore: new Uint8Array(8).fill(255) }],
    ["an end above 2^53", { notAfter: new Uint8Array(8).fill(255) }],
    ["a key id of another length", { keyId: new Uint8Array(17) }],
  ])("%s", (_, parts) => {
    expect(readApproval(loose(parts))).toBeUndefined();
  });

  test("the same by hand, with nothing wrong, is one", () => {
    expect(readApproval(loose({}))).toBeDefined();
  });

  test("a part longer than all bytes, and more parts than there are bytes", () => {
    for (const hex of ["0000000e" + "ffffffff".repeat(20), "ffffffff" + "00000000".repeat(20), "00000000"]) {
      expect(readApproval(Uint8Array.fromHex(hex))).toBeUndefined();
      expect(findDomain(Uint8Array.fromHex(hex))).toBeUndefined();
    }
  });
});

test("the order of trust files and the size of values are left to the judge", () => {
  const trust = ["ff".repeat(32), "00".repeat(32)];
  expect(readApproval(approvalFrame({ ...vectorApproval, trust, rollbackWindow: 0 }))).toMatchObject({
    trust,
    rollbackWindow: 0,
  });
});

describe("sections as bits", () => {
  test("section 0 is the first bit", () => {
    expect(sectionBits(2, [0, 1]).bytes).toEqual(Uint8Array.of(0xc0));
    expect(sectionBits(9, [8]).bytes).toEqual(Uint8Array.of(0, 0x80));
    expect(sectionBits(8, [7]).bytes).toEqual(Uint8Array.of(1));
  });

  test("a section is named or not, and none beyond the last is", () => {
    const bits = sectionBits(10, [1, 9]);
    expect(sectionsOf(bits)).toEqual([1, 9]);
    for (const odd of [-1, 10, 16, 0.5, Number.NaN]) expect(hasSection(bits, odd)).toBe(false);
  });

  test("nobody names a section that is not there, or none", () => {
    for (const odd of [[2], [-1], [0.5], []]) expect(() => sectionBits(2, odd)).toThrow(RangeError);
  });
});

interface Loose {
  readonly approvalId: Uint8Array;
  readonly sections: number;
  readonly bits: Uint8Array;
  readonly issuedAt: Uint8Array;
  readonly notBefore: Uint8Array;
  readonly notAfter: Uint8Array;
  readonly digests: readonly string[];
  readonly trustCount: number;
  readonly keyId: Uint8Array;
}

/** A statement with parts that no type would let pass. */
function loose(parts: Partial<Loose>): Uint8Array {
  const digests = parts.digests ?? vectorApproval.trust;
  return frame(
    "gatehouse-approve-plan-v1",
    parts.approvalId ?? new Uint8Array(16),
    new Uint8Array(32),
    u32(parts.sections ?? 2),
    parts.bits ?? Uint8Array.of(0xc0),
    parts.issuedAt ?? u64(1),
    parts.notBefore ?? u64(1),
    parts.notAfter ?? u64(1),
    u32(60),
    u8(1),
    u32(0),
    u32(parts.trustCount ?? digests.length),
    ...digests.map((digest) => Uint8Array.fromHex(digest)),
    parts.keyId ?? new Uint8Array(16),
  );
}
