import type { Random } from "../support/random.ts";
import type { FileName } from "./files.ts";
import type { Installation } from "./installation.ts";

/** What somebody without the key has at hand. */
export interface Loot {
  readonly own: Installation;
  /** Of another installation, with another key. */
  readonly other: Installation;
  /** The log of a directory that 0.1.5 left, from before logs had seals. */
  readonly oldLog: Buffer;
}

/** One file as somebody changed it; null took it away. */
export interface Made {
  readonly bytes: Buffer | null;
  /** What was done to what, for whoever reads that it was accepted. */
  readonly how: string;
}

/** A change of one file that is aimed at its meaning. Draws everything from `random`. */
export interface Edit {
  readonly name: string;
  readonly make: (random: Random, loot: Loot) => Made;
}

export interface FileEdits {
  readonly file: FileName;
  readonly edits: readonly Edit[];
}

/** A value in the place of another one, never the same. */
export function otherThan<T>(random: Random, value: T, among: readonly T[]): T {
  return random.pick(among.filter((each) => each !== value));
}

/** Another digest of the same form. */
export function otherDigest(random: Random): string {
  return Array.from({ length: 64 }, () => random.below(16).toString(16)).join("");
}
