import type { Random } from "../support/random.ts";
import { cutShort, flipped, noise } from "../fleet/hostile-case.ts";
import type { Message } from "./evil-case.ts";

/** The message with one thing changed about it. */
export function mutate(random: Random, message: Message): Message {
  if (typeof message !== "string") return random.pick(byteChanges)(random, message);
  return random.pick(textChanges)(random, message);
}

type Change<Of extends Message> = (random: Random, message: Of) => Message;

const byteChanges: readonly Change<Uint8Array>[] = [
  (random, bytes) => (bytes.length === 0 ? noise(random, 64) : flipped(random, bytes)),
  (random, bytes) => (bytes.length === 0 ? noise(random, 64) : cutShort(random, bytes)),
  (random, bytes) => Buffer.concat([bytes, noise(random, 64)]),
  (_, bytes) => Buffer.concat([bytes, bytes]),
  (_, bytes) => Buffer.from(bytes).toString("base64url"),
  (random) => noise(random, 2_000),
];

const textChanges: readonly Change<string>[] = [
  (random, text) => Buffer.from(flipped(random, Buffer.from(text))).toString("utf8"),
  (random, text) => text.slice(0, random.below(text.length)),
  (random, text) => withField(text, random.pick(oddNames), random.pick(oddValues)),
  (random, text) => withField(text, random.pick(namesIn(text)), random.pick(oddValues)),
  (random, text) => text.replace("{", `{${JSON.stringify(random.pick(namesIn(text)))}:1,`),
  (random, text) => text.replace(/("t":")([^"]*)/, (_, start: string, type: string) => start + respelt(random, type)),
  (random, text) => text.replace("{", `{"__proto__":${random.pick(["{}", "null", '{"t":"beat-ack"}'])},`),
  (_, text) => `[${text}]`,
  (_, text) => `{"t":"~later","body":${text}}`,
  (_, text) => `{"t":"out-ack","seq":0,"body":${text}}`,
  (_, text) => `\ufeff${text}`,
  (_, text) => `${text}\n${text}`,
  (random, text) => text.padEnd(text.length + random.pick([1, 128, 1_024, 65_536])),
  (_, text) => Buffer.from(text),
  (_, text) => JSON.stringify(text),
];

const oddNames = ["__proto__", "constructor", "prototype", "verb", "path", "ceiling", "then", "toJSON", "", "t"];
const oddValues: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  2 ** 53,
  "",
  "x".repeat(300),
  [],
  {},
  [[[[]]]],
  { t: "bye" },
];

function withField(text: string, name: string, value: unknown): string {
  // Written and not assigned: an assigned `__proto__` would be no field.
  const rest = Object.entries(JSON.parse(text) as object).filter(([each]) => each !== name);
  const fields = [...rest, [name, value] as const];
  return `{${fields.map(([each, what]) => `${JSON.stringify(each)}:${JSON.stringify(what)}`).join()}}`;
}

function namesIn(text: string): readonly string[] {
  return Object.keys(JSON.parse(text) as object);
}

function respelt(random: Random, type: string): string {
  return random.pick([
    `~${type}`,
    type.toUpperCase(),
    `${type} `,
    `${type}\\u0000`,
    `${type}s`,
    type.replace(".", "-"),
  ]);
}
