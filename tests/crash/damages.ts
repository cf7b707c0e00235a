import type { Random } from "../support/random.ts";

export interface Damaged {
  readonly bytes: Uint8Array;
  /** True when what is wrong goes on into the last line, as after a write that power cut short. */
  readonly reachesEnd: boolean;
  readonly how: string;
}

type Damage = (bytes: Uint8Array, random: Random) => Damaged;

/** Ways to damage a file of lines. Each gets a copy. */
const damages: readonly Damage[] = [
  function flipBits(bytes, random) {
    const count = 1 + random.below(8);
    let last = 0;
    for (let flip = 0; flip < count; flip += 1) {
      const at = random.below(bytes.length);
      bytes[at] = (bytes[at] as number) ^ (1 << random.below(8));
      last = Math.max(last, at);
    }
    return { bytes, reachesEnd: last >= lastLineOf(bytes), how: `${count} bits flipped, the last at ${last}` };
  },
  function overwrite(bytes, random) {
    const { from, to } = range(bytes.length, random);
    const last = lastLineOf(bytes);
    const other = random.below(bytes.length - (to - from) + 1);
    const kind = random.pick(["zeros", "garbage", "other lines"]);
    if (kind === "zeros") bytes.fill(0, from, to);
    else if (kind === "garbage") random.fill(bytes.subarray(from, to));
    else bytes.copyWithin(from, other, other + to - from);
    return { bytes, reachesEnd: to > last, how: `bytes ${from} to ${to} overwritten with ${kind}` };
  },
  function remove(bytes, random) {
    const { from, to } = range(bytes.length, random);
    return {
      bytes: join(bytes.subarray(0, from), bytes.subarray(to)),
      // The last three bytes are enough to tell that a mark stood there.
      reachesEnd: to > bytes.length - 3,
      how: `bytes ${from} to ${to} removed`,
    };
  },
  function duplicate(bytes, random) {
    const { from, to } = range(bytes.length, random);
    const twice = join(bytes.subarray(0, to), bytes.subarray(from));
    return { bytes: twice, reachesEnd: to === bytes.length, how: `bytes ${from} to ${to} doubled` };
  },
  function removeLine(bytes, random) {
    const { from, to } = line(bytes, random);
    return {
      bytes: join(bytes.subarray(0, from), bytes.subarray(to)),
      reachesEnd: to === bytes.length,
      how: `line at ${from} removed`,
    };
  },
  function duplicateLine(bytes, random) {
    const { from, to } = line(bytes, random);
    const twice = join(bytes.subarray(0, to), bytes.subarray(from));
    return { bytes: twice, reachesEnd: to === bytes.length, how: `line at ${from} doubled` };
  },
  function swapLines(bytes, random) {
    const first = line(bytes, random);
    const second = line(bytes, random);
    const [a, b] = first.from < second.from ? [first, second] : [second, first];
    if (a.from === b.from) return { bytes, reachesEnd: false, how: "nothing" };
    const swapped = join(
      bytes.subarray(0, a.from),
      bytes.subarray(b.from, b.to),
      bytes.subarray(a.to, b.from),
      bytes.subarray(a.from, a.to),
      bytes.subarray(b.to),
    );
    return { bytes: swapped, reachesEnd: b.to === bytes.length, how: `lines at ${a.from} and ${b.from} swapped` };
  },
  function truncate(bytes, random) {
    const size = random.below(bytes.length);
    return { bytes: bytes.subarray(0, size), reachesEnd: true, how: `truncated to ${size}` };
  },
];

export function damage(bytes: Uint8Array, random: Random): Damaged {
  return random.pick(damages)(bytes.slice(), random);
}

function range(length: number, random: Random): { from: number; to: number } {
  const from = random.below(length);
  const most = random.chance(0.5) ? 64 : 4_096;
  return { from, to: Math.min(length, from + 1 + random.below(most)) };
}

/** Where the last line begins, with the blank one before it. */
function lastLineOf(bytes: Uint8Array): number {
  return bytes.lastIndexOf(10, bytes.length - 2);
}

/** The line around a random byte, with its line feed. */
function line(bytes: Uint8Array, random: Random): { from: number; to: number } {
  const at = random.below(bytes.length);
  const feed = bytes.indexOf(10, at);
  return { from: at === 0 ? 0 : bytes.lastIndexOf(10, at - 1) + 1, to: feed === -1 ? bytes.length : feed + 1 };
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}
