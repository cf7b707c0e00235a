import { createHash } from "node:crypto";
import {
  encodeBase64url,
  decodeBase64url,
  type HeadRow,
  readWitnessHead,
  type WitnessHead,
  witnessHeadFrame,
} from "@gatehouse/channel";
import type { WitnessCode } from "@gatehouse/contract";
import { isSignedBy, loadPublicKey, signatureLength } from "@gatehouse/keys";
import { isSameBytes, readSigned } from "@gatehouse/keys/frame";
import { type KeptWitness, witnessKeeping } from "./kept-witness.ts";

/** A head that the server shows, and the rows that are to prove that it goes on from the one that is held. */
export interface OfferedHead {
  readonly signed: Uint8Array;
  readonly proof?: { readonly from: number; readonly rows: readonly HeadRow[] } | undefined;
}

export type HeadVerdict =
  | { readonly t: "taken"; readonly kept: KeptWitness; readonly head: WitnessHead }
  | { readonly t: "same" }
  /** Rows are needed, from this number on. */
  | { readonly t: "missing"; readonly from: number }
  | { readonly t: "refused"; readonly code: WitnessCode; readonly kept: KeptWitness };

/** A signed head that this host keeps; it was verified before it was kept. */
export function readKeptHead(text: string): { readonly framed: Uint8Array; readonly value: WitnessHead } | undefined {
  return readSigned(decodeBase64url(text), [signatureLength], readWitnessHead);
}

/**
 * The next head is taken only with proof that it goes on from the one that is held. What is refused changes nothing but what is known
 * of it; the first head of all is taken on trust.
 */
export function judgeHead(kept: KeptWitness, server: Uint8Array, offered: OfferedHead, now: number): HeadVerdict {
  const read = readSigned(offered.signed, [signatureLength], readWitnessHead);
  const key = loadPublicKey(server, "the server's key");
  if (read === undefined || !isSignedBy(key, read.framed, read.signatures[0])) {
    return refuse(kept, "witness.signature", undefined, now);
  }
  const told = encodeBase64url(offered.signed);
  const held = kept.held === null ? undefined : readKeptHead(kept.held);
  if (held === undefined) return take(kept, told, read.value);
  if (isSameBytes(held.framed, read.framed)) return { t: "same" };
  const found = compare(held, read, offered.proof);
  if (found === "follows") return take(kept, told, read.value);
  if (typeof found === "number") return { t: "missing", from: found };
  return refuse(kept, found, told, now);
}

interface ReadHead {
  readonly framed: Uint8Array;
  readonly value: WitnessHead;
}

function compare(held: ReadHead, shown: ReadHead, proof: OfferedHead["proof"]): WitnessCode | "follows" | number {
  const [own, other] = [held.value, shown.value];
  const next = own.n + 1;
  if (other.n === own.n) return "witness.fork";
  if (other.n < own.n || other.position < own.position) return "witness.regressed";
  if (other.n === next) return isNext(held, other) ? "follows" : "witness.fork";
  if (proof === undefined || proof.from !== next) return next;
  if (proof.rows.length === 0) return "witness.gap";
  let last = held;
  for (const row of proof.rows) {
    const value = { ...row, n: last.value.n + 1, prev: sha256(last.framed) };
    if (!isNext(last, value)) return "witness.fork";
    last = { framed: witnessHeadFrame(value), value };
  }
  return isSameBytes(last.framed, shown.framed) ? "follows" : "witness.fork";
}

function isNext(before: ReadHead, { prev, position }: WitnessHead): boolean {
  return position > before.value.position && isSameBytes(prev, sha256(before.framed));
}

function take(kept: KeptWitness, told: string, head: WitnessHead): HeadVerdict {
  const { trouble } = kept;
  // Two heads that the server signed and that do not fit stay a proof, whatever it shows afterwards: that is for root to end.
  const left = trouble?.code === "witness.fork" ? { ...trouble, resumed: true } : null;
  return { t: "taken", kept: { ...kept, held: told, trouble: left }, head };
}

/** What weighs more is not forgotten over what weighs less. */
const weights: Readonly<Record<WitnessCode, number>> = {
  "witness.damaged": 0,
  "witness.signature": 1,
  "witness.gap": 2,
  "witness.regressed": 3,
  "witness.fork": 4,
};

function refuse(kept: KeptWitness, code: WitnessCode, told: string | undefined, now: number): HeadVerdict {
  const { trouble: before, held } = kept;
  const isLess = before !== null && weights[before.code] > weights[code];
  const trouble: NonNullable<KeptWitness["trouble"]> = {
    code: isLess ? before.code : code,
    since: isLess || before?.code === code ? (before?.since ?? now) : now,
    told: told ?? before?.told ?? null,
    resumed: told === undefined && before?.resumed === true,
  };
  const isPair = told !== undefined && held !== null;
  const isNews = isPair && !kept.conflicts.some((one) => one.told === told && one.held === held);
  const conflicts = isNews ? bounded([...kept.conflicts, { at: now, code, held, told }]) : kept.conflicts;
  return { t: "refused", code, kept: { ...kept, trouble, conflicts } };
}

function bounded(conflicts: KeptWitness["conflicts"]): KeptWitness["conflicts"] {
  const { conflicts: most } = witnessKeeping;
  return conflicts.length <= most ? conflicts : conflicts.toSpliced(most / 2, 1);
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}
