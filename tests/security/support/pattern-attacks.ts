import type { Chance } from "./chance.ts";

/** A text that a careless pattern reads over and over: something that leads to a repetition, the repeated part, an end. */
export interface Attack {
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

const candidates = " !\"#$%&'()*+,-./09:;<=>?@AFZ[\\]^_`afwz{|}~\t\n\r\0\u0085é€\u2028\ud83d".split("");
const suffixes = ["", "!", "\0", "x", "\n", " ", "0"];

/**
 * Reads a pattern and makes texts against each of its repetitions: what comes before it once, its body many times, and
 * an end that does not fit. Beside them, plain runs of every character the pattern knows.
 */
export function attacksOn(source: string, flags: string, chance: Chance): Attack[] {
  const reader = new PatternReader(source, flags, chance);
  const seeds = new Map<string, { prefix: string; pump: string }>();
  for (let round = 0; round < 12; round += 1) {
    for (const seed of reader.read()) seeds.set(JSON.stringify(seed), seed);
  }
  const known = candidates.filter((character) => reader.isKnown(character));
  for (const one of known) {
    seeds.set(one, { prefix: "", pump: one });
    for (const other of chance.sample(known, 6)) seeds.set(one + other, { prefix: "", pump: one + other });
  }
  return [...seeds.values()].flatMap((seed) => suffixes.map((suffix) => ({ ...seed, suffix })));
}

export function textOf({ prefix, pump, suffix }: Attack, length: number): string {
  return prefix + pump.repeat(Math.max(1, Math.floor(length / pump.length))) + suffix;
}

/** Walks through a pattern from left to right, writing down a text that fits so far. */
class PatternReader {
  readonly #source: string;
  readonly #flags: string;
  readonly #chance: Chance;
  readonly #atoms = new Set<string>();
  #at = 0;
  #seeds: { prefix: string; pump: string }[] = [];

  constructor(source: string, flags: string, chance: Chance) {
    this.#source = source;
    this.#flags = flags.includes("u") || flags.includes("v") ? "u" : "";
    this.#chance = chance;
  }

  read(): { prefix: string; pump: string }[] {
    this.#at = 0;
    this.#seeds = [];
    this.#alternatives("");
    return this.#seeds;
  }

  /** Whether some atom of the pattern matches this character. */
  isKnown(character: string): boolean {
    return [...this.#atoms].some((atom) => fits(atom, this.#flags, character));
  }

  /** A text for one of the alternatives up to the closing bracket; all of them are walked. */
  #alternatives(before: string): string {
    const texts = [this.#sequence(before)];
    while (this.#source[this.#at] === "|") {
      this.#at += 1;
      texts.push(this.#sequence(before));
    }
    return this.#chance.pick(texts);
  }

  #sequence(before: string): string {
    let text = "";
    while (this.#at < this.#source.length && !"|)".includes(this.#source[this.#at] as string)) {
      const body = this.#atom(before + text);
      const { least, most } = this.#quantifier();
      if (most >= 20 && body !== "") {
        this.#seeds.push({ prefix: before + text, pump: body });
        // The start itself many times: each one looks for its end in vain.
        this.#seeds.push({ prefix: "", pump: before + text + body });
        if (before + text !== "") this.#seeds.push({ prefix: "", pump: before + text });
      }
      text += body.repeat(Math.max(least, most > 0 ? 1 : 0));
    }
    return text;
  }

  #atom(before: string): string {
    const rest = this.#source.slice(this.#at);
    const [group] = /^\((?:\?(?::|=|!|<=|<!|<\w+>))?/.exec(rest) ?? [];
    if (group !== undefined) {
      this.#at += group.length;
      const text = this.#alternatives(before);
      this.#at += 1; // the closing bracket
      return /[=!]$/.test(group) ? "" : text;
    }
    if (/^(?:[\^$]|\\[bB])/.test(rest)) {
      this.#at += rest.startsWith("\\") ? 2 : 1;
      return "";
    }
    const [atom = ""] =
      /^(?:\[\^?\]?(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[A-Z]|\\[1-9]\d*|\\k<\w+>|\\.|[^])/su.exec(
        rest,
      ) ?? [];
    this.#at += atom.length;
    this.#atoms.add(atom);
    const fitting = candidates.filter((character) => fits(atom, this.#flags, character));
    // Characters that mean something elsewhere in the pattern are the ones that lead astray.
    const telling = fitting.filter((character) => this.#source.includes(character));
    if (telling.length > 0 && this.#chance.next() < 0.6) return this.#chance.pick(telling);
    return fitting.length === 0 ? literalOf(atom) : this.#chance.pick(fitting);
  }

  #quantifier(): { least: number; most: number } {
    const [all = "", sign, least, comma, most] =
      /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at)) ?? [];
    this.#at += all.length;
    if (all === "") return { least: 1, most: 1 };
    if (sign === "*") return { least: 0, most: Number.POSITIVE_INFINITY };
    if (sign === "+") return { least: 1, most: Number.POSITIVE_INFINITY };
    if (sign === "?") return { least: 0, most: 1 };
    const end = comma === "" ? Number(least) : most === "" ? Number.POSITIVE_INFINITY : Number(most);
    return { least: Number(least), most: end };
  }
}

function fits(atom: string, flags: string, character: string): boolean {
  try {
    return new RegExp(`^(?:${atom})$`, `${flags}s`).test(character);
  } catch {
    return false; // A reference to a group, outside of its pattern.
  }
}

/** A character that is not among the candidates stands for itself. */
function literalOf(atom: string): string {
  return atom.length === 1 ? atom : "";
}
