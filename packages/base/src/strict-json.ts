import type { Json } from "./json.ts";

export type StrictJson =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly reason: string; readonly at: number };

export const strictJsonLimits = { depth: 32, keys: 10_000, items: 100_000 } as const;

/** As `parseStrictJson`, from bytes that must be UTF-8. */
export function parseStrictJsonBytes(bytes: Uint8Array, limits: StrictJsonLimits = strictJsonLimits): StrictJson {
  let text: string;
  try {
    // ignoreBOM keeps a byte order mark in the text, where it is refused like any other stray character.
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { ok: false, reason: "the bytes are not UTF-8", at: 0 };
  }
  return parseStrictJson(text, limits);
}

/**
 * Reads one JSON value, or says why not. Stricter than JSON.parse, so that no two readers can understand one text
 * differently: no duplicate keys, no number that loses its value, no lone surrogate, no key that reaches a prototype,
 * and bounded depth and size. One pass, linear time.
 */
export function parseStrictJson(text: string, limits: StrictJsonLimits = strictJsonLimits): StrictJson {
  const reader = new Reader(text, limits);
  try {
    return { ok: true, value: reader.readWhole() };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, reason: error.message, at: error.at };
    throw error;
  }
}

export interface StrictJsonLimits {
  readonly depth: number;
  readonly keys: number;
  readonly items: number;
}

class Refusal extends Error {
  readonly at: number;
  constructor(reason: string, at: number) {
    super(reason);
    this.at = at;
  }
}

/** Through these names a plain assignment reaches a prototype (CVE-2020-8203 and its kind). */
const prototypeKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** A comma, a closing bracket or brace, or a blank. At the end of the text the pattern decides. */
function endsNumber(code: number): boolean {
  return code === 44 || code === 93 || code === 125 || code === 32 || code === 10;
}

class Reader {
  readonly #text: string;
  readonly #limits: StrictJsonLimits;
  // Sticky expressions are kept per reader: they carry a position.
  readonly #plain = /[^"\\\u0000-\u001f]*/y; // oxlint-disable-line no-control-regex -- JSON forbids exactly these.
  readonly #number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
  readonly #hex = /[0-9a-fA-F]{4}/y;
  #at = 0;
  #keys = 0;
  #items = 0;

  constructor(text: string, limits: StrictJsonLimits) {
    this.#text = text;
    this.#limits = limits;
  }

  readWhole(): Json {
    const value = this.#readValue(1);
    this.#skipBlank();
    if (this.#at < this.#text.length) throw new Refusal("something follows the value", this.#at);
    return value;
  }

  #readValue(depth: number): Json {
    this.#skipBlank();
    const next = this.#text[this.#at];
    if (next === "{") return this.#readObject(depth);
    if (next === "[") return this.#readArray(depth);
    if (next === '"') return this.#readString();
    if (next === "t") return this.#readWord("true", true);
    if (next === "f") return this.#readWord("false", false);
    if (next === "n") return this.#readWord("null", null);
    return this.#readNumber();
  }

  #readObject(depth: number): Json {
    this.#enter(depth);
    const object: Record<string, Json> = {};
    if (this.#closes("}")) return object;
    do {
      this.#skipBlank();
      const keyAt = this.#at;
      if (this.#text[keyAt] !== '"') throw new Refusal("a key in double quotes is expected", keyAt);
      const key = this.#readString();
      if (prototypeKeys.has(key)) throw new Refusal(`the key ${key} is not accepted`, keyAt);
      if (Object.hasOwn(object, key)) throw new Refusal("a key is written twice in one object", keyAt);
      this.#keys += 1;
      if (this.#keys > this.#limits.keys) throw new Refusal(`more than ${this.#limits.keys} keys`, keyAt);
      this.#skipBlank();
      if (this.#text[this.#at] !== ":") throw new Refusal("a colon is expected", this.#at);
      this.#at += 1;
      object[key] = this.#readValue(depth + 1);
    } while (this.#goesOn("}"));
    return object;
  }

  #readArray(depth: number): Json {
    this.#enter(depth);
    const array: Json[] = [];
    if (this.#closes("]")) return array;
    do {
      this.#items += 1;
      if (this.#items > this.#limits.items) throw new Refusal(`more than ${this.#limits.items} items`, this.#at);
      array.push(this.#readValue(depth + 1));
    } while (this.#goesOn("]"));
    return array;
  }

  #enter(depth: number): void {
    if (depth > this.#limits.depth) throw new Refusal(`nested deeper than ${this.#limits.depth}`, this.#at);
    this.#at += 1;
  }

  #closes(bracket: string): boolean {
    this.#skipBlank();
    if (this.#text[this.#at] !== bracket) return false;
    this.#at += 1;
    return true;
  }

  /** After a member: a comma goes on, the bracket ends, anything else is refused. */
  #goesOn(bracket: string): boolean {
    if (this.#closes(bracket)) return false;
    if (this.#text[this.#at] !== ",") throw new Refusal(`a comma or ${bracket} is expected`, this.#at);
    this.#at += 1;
    return true;
  }

  #readString(): string {
    const start = this.#at;
    this.#at += 1;
    let value = this.#match(this.#plain);
    while (this.#text[this.#at] === "\\") value += this.#readEscape() + this.#match(this.#plain);
    if (this.#text[this.#at] !== '"') {
      const ended = this.#at >= this.#text.length;
      throw new Refusal(ended ? "a string does not end" : "a string holds a control character", this.#at);
    }
    this.#at += 1;
    if (!value.isWellFormed()) throw new Refusal("a string holds a lone surrogate", start);
    return value;
  }

  #readEscape(): string {
    const letter = this.#text[this.#at + 1] ?? "";
    const start = this.#at;
    this.#at += 2;
    if (letter === "u") {
      const hex = this.#match(this.#hex);
      if (hex === "") throw new Refusal("four hexadecimal digits are expected", start);
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    const character = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined;
    if (character === undefined) throw new Refusal("a string holds an unknown escape", start);
    return character;
  }

  /** One digit alone, the shortest value there is and so the most that fit into a body, needs no pattern. */
  #readNumber(): number {
    const start = this.#at;
    const digit = this.#text.charCodeAt(start) - 48;
    if (digit >= 0 && digit <= 9 && endsNumber(this.#text.charCodeAt(start + 1))) {
      this.#at += 1;
      return digit;
    }
    const literal = this.#match(this.#number);
    if (literal === "") throw new Refusal("a value is expected", start);
    const value = Number(literal);
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
      throw new Refusal("a number is too large to keep its value", start);
    }
    return value === 0 ? 0 : value; // Minus zero would not survive being written again.
  }

  #readWord<T extends Json>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw new Refusal("a value is expected", this.#at);
    this.#at += word.length;
    return value;
  }

  /** By codes, not by a pattern: this runs several times for every value, and what it takes is the server's time. */
  #skipBlank(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      this.#at += 1;
    }
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }
}
