import { fault } from "@gatehouse/contract/faults";
import { localLimits } from "./local-limits.ts";

/** A message as it travels on the helper's socket: u32 length, then JSON. */
export function packLocalMessage(value: unknown, most: number = localLimits.messageBytes): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(value));
  if (text.byteLength > most) throw fault("local.limit", `a message of ${text.byteLength} bytes`);
  const bytes = new Uint8Array(4 + text.byteLength);
  new DataView(bytes.buffer).setUint32(0, text.byteLength);
  bytes.set(text, 4);
  return bytes;
}

export interface LocalMessageReader {
  /** Takes bytes as they come and gives the messages that are whole now. Throws at a length that no message has. */
  push(chunk: Uint8Array): Uint8Array[];
  /** Bytes of a message that is not whole yet. */
  held(): number;
}

export function openLocalMessages(most: number = localLimits.messageBytes): LocalMessageReader {
  let parts: Uint8Array[] = [];
  let held = 0;
  return {
    held: () => held,
    push: (chunk) => {
      parts.push(chunk);
      held += chunk.byteLength;
      const whole: Uint8Array[] = [];
      // The length in one piece, whatever pieces it came in.
      if (held >= 4 && (parts[0]?.byteLength ?? 0) < 4) parts = [Buffer.concat(parts)];
      for (let length = findLength(parts[0]); length !== undefined; length = findLength(parts[0])) {
        if (length > most) {
          throw fault("local.limit", `expected at most ${most} bytes, found a length of ${length}`);
        }
        if (held < 4 + length) break;
        const all = Buffer.concat(parts);
        whole.push(all.subarray(4, 4 + length));
        const rest = all.subarray(4 + length);
        parts = rest.byteLength === 0 ? [] : [rest];
        held = rest.byteLength;
      }
      return whole;
    },
  };
}

/** The length that the first four bytes name; undefined while they are not there. */
function findLength(start: Uint8Array | undefined): number | undefined {
  if (start === undefined || start.byteLength < 4) return undefined;
  return new DataView(start.buffer, start.byteOffset, start.byteLength).getUint32(0);
}
