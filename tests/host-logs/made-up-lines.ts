import type { LogBatch, NewLogLine } from "@gatehouse/store/telemetry";
import { Random } from "../support/random.ts";

/** A word of the vocabulary as a search knows it. */
type Word = string;

export const linesOfBatch = 200;
export const dayMs = 24 * 60 * 60_000;
export const begin = Date.UTC(2026, 0, 1);
const separators = [" ", " ", " ", "/", ".", ": ", "=", "[", "] ", " - ", "_", " – ", "\u{1F525}", '"', "*", "^", "'"];
/** As a host writes them, and as they are found. */
const scripts: readonly (readonly [shown: string, word: Word])[] = [
  ["ERROR", "error"],
  ["Zoë", "zoë"],
  ["CAFE\u0301", "café"],
  ["ΟΔΟΣ", "οδοσ"],
  ["हिन्दी", "हिन्दी"],
  ["東京", "東京"],
  ["NEAR", "near"],
  ["AND", "and"],
  ["NOT", "not"],
];
const plainWords =
  "warning accepted connection from port user session opened closed failed timeout kernel systemd nginx sshd started stopped unit get post upstream request response cache disk memory pool worker timed out error errors 1 10 100 192 168 0 7 200 404 500 rows".split(
    " ",
  );

interface MadeUpOptions {
  readonly seed: number;
  readonly lines: number;
  readonly nodes: number;
  readonly days: number;
}

/**
 * So many lines of so many nodes, made up by a seed. Number k is the one that arrives after k others; its text begins with the word `k` and
 * that number. What it is made of stays here as numbers, so that a plain look at every line needs nothing that is tested.
 */
export class MadeUpLines {
  readonly count: number;
  readonly nodes: readonly string[];
  readonly sources = ["nginx.service", "sshd.service", "/var/log/app.log", "kernel"];
  readonly words: readonly Word[];
  readonly node: Uint8Array;
  readonly source: Uint8Array;
  readonly at: Float64Array;
  readonly arrived: Float64Array;
  /** 8 where none is said, 9 for a note of lines that were left out. */
  readonly kind: Uint8Array;
  readonly lost: Uint16Array;
  /** The words of k begin at `first[k]`. */
  readonly first: Uint32Array;
  readonly wordIds: Uint16Array;
  readonly #seed: number;
  readonly #shown: readonly string[];
  readonly #batchMs: number;
  #used = 0;

  constructor({ seed, lines, nodes, days }: MadeUpOptions) {
    const random = new Random(seed, 1);
    this.#seed = seed;
    this.count = lines;
    this.nodes = Array.from({ length: nodes }, (_, n) => `node_${n}`);
    const taken = new Set([...plainWords, ...scripts.map(([, word]) => word)]);
    const drawn: string[] = [];
    while (drawn.length < 8_000) {
      const word = random
        .below(36 ** 5)
        .toString(36)
        .slice(0, 1 + random.below(5));
      // Those that begin with k stand at the beginning of a line only.
      if (word.startsWith("k") || taken.has(word)) continue;
      taken.add(word);
      drawn.push(word);
      if (taken.size > 7_000) break;
    }
    this.#shown = [
      ...plainWords,
      ...scripts.map(([shown]) => shown),
      ...drawn.map((word, n) => (n % 3 === 0 ? word.toUpperCase() : word)),
    ];
    this.words = [...plainWords, ...scripts.map(([, word]) => word), ...drawn];
    this.node = new Uint8Array(lines);
    this.source = new Uint8Array(lines);
    this.at = new Float64Array(lines);
    this.arrived = new Float64Array(lines);
    this.kind = new Uint8Array(lines);
    this.lost = new Uint16Array(lines);
    this.first = new Uint32Array(lines + 1);
    this.wordIds = new Uint16Array(lines * 12);
    this.#batchMs = (days * dayMs) / Math.ceil(lines / linesOfBatch);
  }

  /** Batch n, which arrives at this time. Called for each in order. */
  batch(n: number): { readonly batch: LogBatch; readonly now: number } {
    const random = new Random(this.#seed, 10 + n);
    const now = Math.floor(begin + (n + 1) * this.#batchMs);
    const node = random.below(this.nodes.length);
    // A host that comes back tells what it could not tell before.
    const late = random.chance(0.02) ? random.below(20 * 60 * 60_000) : 0;
    const lines: NewLogLine[] = [];
    const dropped: LogBatch["dropped"][number][] = [];
    const end = Math.min((n + 1) * linesOfBatch, this.count);
    for (let k = n * linesOfBatch; k < end; k += 1) {
      const source = random.below(this.sources.length);
      const at = now - late - (end - k) * 40;
      const isNote = random.chance(0.002);
      this.node[k] = node;
      this.source[k] = source;
      this.at[k] = at;
      this.arrived[k] = now;
      this.first[k] = this.#used;
      this.lost[k] = isNote ? 1 + random.below(500) : 0;
      this.kind[k] = isNote ? 9 : this.#level(random);
      const name = this.sources[source] ?? "";
      if (isNote) dropped.push({ source: name, lines: this.lost[k], from: k, to: at });
      else
        lines.push({
          source: name,
          at,
          level: this.kind[k] === 8 ? undefined : this.kind[k],
          text: this.#text(k, random),
        });
      this.first[k + 1] = this.#used;
    }
    return { batch: { node: this.nodes[node] ?? "", lines, dropped, checkpoint: `{"batch":${n}}` }, now };
  }

  /** Which line it is that was found. */
  static numberOf({
    text,
    dropped,
  }: {
    readonly text: string;
    readonly dropped: { readonly from: number } | undefined;
  }): number {
    return dropped?.from ?? Number(/^k(\d+)/.exec(text)?.[1]);
  }

  #level(random: Random): number {
    if (random.chance(0.3)) return 8;
    return random.chance(0.05) ? random.below(5) : 5 + random.below(3);
  }

  #text(k: number, random: Random): string {
    let text = `k${k}`;
    const words = 4 + random.below(8);
    for (let n = 0; n < words; n += 1) {
      // A few of them are in most lines, and most in few.
      const word = Math.floor(this.words.length * random.next() ** 4);
      this.wordIds[this.#used] = word;
      this.#used += 1;
      text += `${random.pick(separators)}${this.#shown[word]}`;
    }
    return text;
  }
}
