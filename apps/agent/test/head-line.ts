import { createHash } from "node:crypto";
import { encodeBase64url, type HeadRow, noHead, type WitnessHead, witnessHeadFrame } from "@gatehouse/channel";
import { importPrivateKey, publicKeyBytes, signBytes } from "@gatehouse/keys";
import { joinSigned } from "@gatehouse/keys/frame";

export const lineKey = importPrivateKey(new Uint8Array(32).fill(5));
export const lineServer = publicKeyBytes(lineKey);

export interface MadeHead extends WitnessHead {
  readonly signed: Uint8Array;
  readonly text: string;
}

export function signHeadOf(head: WitnessHead, key = lineKey): MadeHead {
  const framed = witnessHeadFrame(head);
  const signed = joinSigned(framed, signBytes(key, framed));
  return { ...head, signed, text: encodeBase64url(signed) };
}

/** A line of heads as an honest server makes one; `salt` makes another log. */
export function makeLine(
  count: number,
  { salt = 1, first = 1, step = 10, prev = noHead, key = lineKey } = {},
): MadeHead[] {
  const line: MadeHead[] = [];
  for (let n = first; n < first + count; n += 1) {
    const before = line.at(-1);
    const head = {
      n,
      prev: before === undefined ? prev : digestOf(before),
      position: n * step,
      link: createHash("sha256").update(`${salt} ${n}`).digest(),
      at: Date.UTC(2026, 0, 1) + n * 60_000,
    };
    line.push(signHeadOf(head, key));
  }
  return line;
}

export function digestOf(head: WitnessHead): Uint8Array {
  return createHash("sha256").update(witnessHeadFrame(head)).digest();
}

export const rowsOf = (heads: readonly WitnessHead[]): HeadRow[] =>
  heads.map(({ position, link, at }) => ({ position, link, at }));
