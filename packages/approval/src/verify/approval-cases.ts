import { isFault } from "@gatehouse/contract";
import { type Approval, approvalFrame } from "../statement.ts";
import { type SignedStatement } from "../container.ts";
import { sectionBits } from "../section-bits.ts";
import { approverKeyId } from "./load-ssh-key.ts";
import { type MadeKey, makeSshSig, type SigParts } from "./ssh-key-cases.ts";

/** The approval of the protocol's vector. */
export const vectorApproval: Approval = {
  approvalId: "ab".repeat(16),
  planDigest: "f78b619119bc0cdab07174b994defa4924f44105c4fd48c56ea722d9dfb36672",
  sections: sectionBits(2, [0, 1]),
  issuedAt: 1_800_000_000_000,
  notBefore: 1_800_000_000_000,
  notAfter: 1_800_003_600_000,
  rollbackWindow: 60,
  confirmation: 1,
  settle: 0,
  trust: ["f796e2f28ae5811737ccb8233f34e09f8bb75d2511a135543d1ca37be0199a1d"],
  keyId: "76980a957d775f4aaf50bf987954897d",
};

export const vectorFrame =
  "0000000e0000001967617465686f7573652d617070726f76652d706c616e2d763100000010abababababababababababababababab" +
  "00000020f78b619119bc0cdab07174b994defa4924f44105c4fd48c56ea722d9dfb36672000000040000000200000001c0" +
  "00000008000001a3185c500000000008000001a3185c500000000008000001a318933e80000000040000003c0000000101" +
  "0000000400000000000000040000000100000020f796e2f28ae5811737ccb8233f34e09f8bb75d2511a135543d1ca37be0199a1d" +
  "0000001076980a957d775f4aaf50bf987954897d";

/** One approver's copy of a statement, signed. */
export function signedBy(key: MadeKey, approval: Omit<Approval, "keyId">, parts: SigParts = {}): SignedStatement {
  const statement = approvalFrame({ ...approval, keyId: approverKeyId(key.blob) });
  return { statement, ssh: makeSshSig(key, statement, parts) };
}

/** The code of the refusal, or that there was none. */
export function codeOf(act: () => unknown): string {
  try {
    act();
    return "taken";
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
}
