import { createHash } from "node:crypto";
import { frame } from "./frame.ts";

/**
 * A node is called after its host key: no server can give two hosts one name, or one host another's, and whatever the
 * host signs can be checked with the name alone.
 */
export function nodeIdOf(hostKey: Uint8Array): string {
  const digest = createHash("sha256").update(frame("gatehouse-node-id-v1", hostKey)).digest();
  // 130 bits in 26 digits of five, the most significant first.
  let value = BigInt(`0x${digest.subarray(0, 17).toString("hex")}`) >> 6n;
  let text = "";
  for (let place = 0; place < 26; place += 1) {
    text = digits.charAt(Number(value & 31n)) + text;
    value >>= 5n;
  }
  return `node_${text}`;
}

const digits = "0123456789abcdefghjkmnpqrstvwxyz";
