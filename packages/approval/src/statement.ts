import { encodeText, frame, isSameBytes, readFrame, readNumber, u8, u32, u64 } from "@gatehouse/keys/frame";
import { findSectionBits, type SectionBits } from "./section-bits.ts";

/** What a person signs to let a plan change hosts, once. Ids and digests are in lower-case hexadecimal. */
export interface Approval {
  /** 16 bytes that nobody used before: by them an approval is spent. */
  readonly approvalId: string;
  readonly planDigest: string;
  readonly sections: SectionBits;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  readonly notBefore: number;
  readonly notAfter: number;
  /** Seconds after which a host takes the change back unless it was confirmed. */
  readonly rollbackWindow: number;
  /** Who confirms: 1 the way back to the server, 2 also the approvers. */
  readonly confirmation: number;
  /** Seconds for which the hosts of a `together` plan can still bring each other back; 0 for any other plan. */
  readonly settle: number;
  /** Digests of the trust files that the hosts may stand at, rising. */
  readonly trust: readonly string[];
  /** Who signs this copy: the only field in which the statements of several approvers differ. */
  readonly keyId: string;
}

export const approvalDomain = "gatehouse-approve-plan-v1";

/** The last field of every statement, so that what stands before it can be compared as bytes. */
export const keyIdLength = 16;

/** The bytes that are signed: the whole message of `ssh-keygen -Y sign -n gatehouse-approve@v1`. */
export function approvalFrame(approval: Approval): Uint8Array {
  return frame(
    approvalDomain,
    Uint8Array.fromHex(approval.approvalId),
    Uint8Array.fromHex(approval.planDigest),
    u32(approval.sections.count),
    approval.sections.bytes,
    u64(approval.issuedAt),
    u64(approval.notBefore),
    u64(approval.notAfter),
    u32(approval.rollbackWindow),
    u8(approval.confirmation),
    u32(approval.settle),
    u32(approval.trust.length),
    ...approval.trust.map((digest) => Uint8Array.fromHex(digest)),
    Uint8Array.fromHex(approval.keyId),
  );
}

/** How long each field is: those before the trust digests, and the key id behind them. */
const leading = [16, 32, 4, "any", 8, 8, 8, 4, 1, 4, 4] as const;
const mostTrust = 64;

/**
 * The approval of exactly these bytes, undefined for anything else. What its values may be, and that its digests rise, is
 * judged where it is used: a statement that asks for too much is told apart from bytes that are none.
 */
export function readApproval(framed: Uint8Array): Approval | undefined {
  const digests = (countParts(framed) ?? 0) - leading.length - 2;
  if (digests < 1 || digests > mostTrust) return undefined;
  const fields = readFrame(framed, approvalDomain, [...leading, ...Array<32>(digests).fill(32), keyIdLength]);
  if (fields === undefined) return undefined;
  const [
    approvalId,
    planDigest,
    count,
    bits,
    issued,
    before,
    after,
    window,
    confirmation,
    settle,
    trustCount,
    ...rest
  ] = fields;
  const [issuedAt, notBefore, notAfter] = [issued, before, after].map(readNumber);
  const sections = findSectionBits(smallNumber(count), bits);
  if (issuedAt === undefined || notBefore === undefined || notAfter === undefined) return undefined;
  if (sections === undefined || smallNumber(trustCount) !== digests) return undefined;
  return {
    approvalId: approvalId.toHex(),
    planDigest: planDigest.toHex(),
    sections,
    issuedAt,
    notBefore,
    notAfter,
    rollbackWindow: smallNumber(window),
    confirmation: smallNumber(confirmation),
    settle: smallNumber(settle),
    trust: rest.slice(0, -1).map((digest) => digest.toHex()),
    keyId: framed.subarray(-keyIdLength).toHex(),
  };
}

/** The domain of bytes that are a frame of anything; undefined when they are none. */
export function findDomain(framed: Uint8Array): Uint8Array | undefined {
  const parts = countParts(framed);
  // A part takes four bytes at least: no count can make this loop long.
  if (parts === undefined || parts < 1 || parts > framed.byteLength / 4) return undefined;
  const view = new DataView(framed.buffer, framed.byteOffset, framed.byteLength);
  let at = 4;
  let domain: Uint8Array | undefined;
  for (let part = 0; part < parts; part += 1) {
    if (framed.byteLength - at < 4) return undefined;
    const end = at + 4 + view.getUint32(at);
    if (end > framed.byteLength) return undefined;
    domain ??= framed.subarray(at + 4, end);
    at = end;
  }
  return at === framed.byteLength ? domain : undefined;
}

export function isApprovalDomain(domain: Uint8Array): boolean {
  return isSameBytes(domain, encodeText(approvalDomain));
}

function countParts(framed: Uint8Array): number | undefined {
  return framed.byteLength < 4 ? undefined : smallNumber(framed.subarray(0, 4));
}

/** A number of at most four bytes, which always is one. */
function smallNumber(field: Uint8Array): number {
  return field.reduce((value, byte) => value * 256 + byte, 0);
}
