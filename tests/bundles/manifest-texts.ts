import type { Loose } from "./manifest-values.ts";
import type { Random } from "../support/random.ts";

/** How a value is written when it is not written in the one byte form. */
interface Manner {
  readonly indent: string;
  readonly colon: string;
  readonly order: (names: string[]) => string[];
  readonly text: (text: string) => string;
  readonly number: (value: number) => string;
  /** Names that are written a second time, with what value. */
  readonly again: (name: string, value: string) => string[];
}

const plain: Manner = {
  indent: "  ",
  colon: ": ",
  order: (names) => names.sort(),
  text: (text) => JSON.stringify(text),
  number: (value) => JSON.stringify(value),
  again: () => [],
};

/** Writes a manifest as text in some manner: the one byte form, or one that other readers take for the same. */
export function writeText(random: Random, manifest: Loose): string {
  return `${write(manifest, random.pick(manners)(random), "")}\n`;
}

export function writePlain(manifest: Loose): string {
  return `${write(manifest, plain, "")}\n`;
}

const manners: readonly ((random: Random) => Manner)[] = [
  () => plain,
  () => plain,
  () => plain,
  (random) => ({ ...plain, indent: random.pick(["", " ", "    ", "\t"]) }),
  (random) => ({ ...plain, colon: random.pick([":", " : ", ":  ", ":\t"]) }),
  () => ({ ...plain, order: (names) => names }),
  () => ({ ...plain, order: (names) => names.sort().reverse() }),
  (random) => ({ ...plain, order: (names) => names.sort(() => random.next() - 0.5) }),
  (random) => ({ ...plain, text: (text) => escaped(text, random, 0.05) }),
  (random) => ({ ...plain, text: (text) => escaped(text, random, 1) }),
  () => ({ ...plain, text: (text) => JSON.stringify(text).replaceAll("/", "\\/") }),
  (random) => ({ ...plain, number: (value) => random.pick(numbers(value)) }),
  (random) => ({
    ...plain,
    again: (name, value) => {
      if (value.length > 4_000 || !random.chance(0.15)) return [];
      const spelt = random.chance(0.5) ? JSON.stringify(name) : escaped(name, random, 1);
      return [`${spelt}: ${random.pick([value, "null", '"evil"', "[]", "{}"])}`];
    },
  }),
];

function numbers(value: number): string[] {
  return [
    `${value}.0`,
    `${value}e0`,
    `${value}0e-1`,
    `0${value}`,
    `+${value}`,
    `0x${value}`,
    `"${value}"`,
    "-0",
    "1e999",
  ];
}

function escaped(text: string, random: Random, share: number): string {
  const units = Array.from({ length: text.length }, (_, at) => {
    if (!random.chance(share)) return JSON.stringify(text.charAt(at)).slice(1, -1);
    const hex = text.charCodeAt(at).toString(16).padStart(4, "0");
    return `\\u${random.chance(0.5) ? hex : hex.toUpperCase()}`;
  });
  return `"${units.join("")}"`;
}

function write(value: unknown, manner: Manner, indent: string): string {
  const inner = indent + manner.indent;
  if (Array.isArray(value)) {
    return block(
      "[",
      value.map((item) => write(item, manner, inner)),
      "]",
      indent,
      inner,
    );
  }
  if (typeof value === "object" && value !== null) {
    const members = manner
      .order(Object.keys(value).filter((name) => (value as Loose)[name] !== undefined))
      .flatMap((name) => {
        const written = write(Object.getOwnPropertyDescriptor(value, name)?.value, manner, inner);
        const again = manner.again(name, written);
        return [`${manner.text(name)}${manner.colon}${written}`, ...again];
      });
    return block("{", members, "}", indent, inner);
  }
  if (typeof value === "string") return manner.text(value);
  if (typeof value === "number") return manner.number(value);
  return JSON.stringify(value ?? null);
}

function block(open: string, lines: readonly string[], close: string, indent: string, inner: string): string {
  if (lines.length === 0) return open + close;
  return `${open}\n${inner}${lines.join(`,\n${inner}`)}\n${indent}${close}`;
}

const tokens = [
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"',
  "\\",
  "\\u0000",
  "null",
  "1e5",
  "//",
  "/**/",
  "\u2028",
  "\ufeff",
  "'",
];
/** Bytes that are no UTF-8: overlong, a surrogate, cut short, beyond Unicode. */
const noUtf8 = [[0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xf5, 0x80, 0x80, 0x80], [0xff], [0xfe, 0xff], [0x80]];

/** Spoils the text itself, and gives its bytes. */
export function spoilText(random: Random, text: string): Uint8Array {
  return random.pick(textWays)(text, random);
}

const textWays: readonly ((text: string, random: Random) => Uint8Array)[] = [
  (text) => bytes(`\ufeff${text}`),
  (text) => bytes(text.replaceAll("\n", "\r\n")),
  (text) => bytes(text.slice(0, -1)),
  (text) => bytes(`${text}\n`),
  (text) => bytes(`${text} `),
  (text) => bytes(`${text}\0`),
  (text) => bytes(`${text}{}`),
  (text) => bytes(`${text}${text}`),
  (text) => bytes(` ${text}`),
  (text) => bytes(text.replace(/\n\}\n$/, ",\n}\n")),
  (text) => Buffer.from(text, "utf16le"),
  (text, random) => bytes(text.slice(0, random.below(text.length))),
  (text, random) => bytes(text.replaceAll('"', random.pick(["'", "“", "`"]))),
  (text, random) => inserted(bytes(text), Uint8Array.from(random.pick(noUtf8)), random),
  (text, random) =>
    bytes(text.replace('"name": "', `"name": ${'{"a":'.repeat(random.below(random.chance(0.05) ? 3_000 : 60))}"`)),
  (text, random) => {
    let spoilt = bytes(text);
    for (let changes = 1 + random.below(5); changes > 0; changes -= 1) {
      spoilt = inserted(spoilt, bytes(random.pick(tokens)), random, random.below(3));
    }
    return spoilt;
  },
];

function bytes(text: string): Buffer {
  return Buffer.from(text, "utf8");
}

function inserted(into: Uint8Array, piece: Uint8Array, random: Random, skip = 0): Buffer {
  const at = random.below(into.byteLength + 1);
  return Buffer.concat([into.subarray(0, at), piece, into.subarray(Math.min(at + skip, into.byteLength))]);
}
