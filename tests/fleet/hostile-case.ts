import type { PretendHost } from "../support/pretend-host.ts";
import type { Random } from "../support/random.ts";

/** What a hostile agent has to work with: an identity of its own, and what it knows of others. */
export interface HostileGround {
  readonly random: Random;
  readonly host: PretendHost;
  /** A node that somebody else is. Even its keys are known here, so that messages of it can be passed on. */
  readonly other: PretendHost;
}

/** One thing that a hostile agent does. */
export interface HostileCase {
  readonly name: string;
  /** How often it is drawn, beside the others. */
  readonly weight: number;
  /** Whether the connection has to end for it. What only may end it can be harmless: a bit in a number, a repeated message. */
  readonly ends: boolean;
  /** Bytes for the wire, whole WebSocket frames or not. The challenge is that of the connection. */
  readonly bytes: (ground: HostileGround, challenge: Uint8Array) => Uint8Array;
  /** Of how many frames they are, when it is more than one. */
  readonly frames?: number;
  /** Nothing answers it: the agent goes away by itself. */
  readonly leaves?: boolean;
}

export function pickCase(cases: readonly HostileCase[], random: Random): HostileCase {
  let left = random.next() * cases.reduce((sum, { weight }) => sum + weight, 0);
  const found = cases.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
  if (found === undefined) throw new Error("nothing to pick from");
  return found;
}

/** The same bytes with a few bits turned. */
export function flipped(random: Random, bytes: Uint8Array): Uint8Array {
  const changed = Uint8Array.from(bytes);
  for (let left = 1 + random.below(4); left > 0; left -= 1) {
    const at = random.below(changed.length);
    changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
  }
  // Two turns of one bit would be none.
  if (Buffer.from(changed).equals(bytes)) changed[0] = (changed[0] ?? 0) ^ 1;
  return changed;
}

export function cutShort(random: Random, bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, random.below(bytes.length));
}

export function noise(random: Random, most: number): Uint8Array {
  return exactly(random, 1 + random.below(most));
}

export function exactly(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.below(256));
}
