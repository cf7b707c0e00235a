import { encodeBase64url, writeControlFrame } from "@gatehouse/channel";
import type { PretendHost } from "../support/pretend-host.ts";
import type { Random } from "../support/random.ts";
import { cutShort, flipped, type HostileCase, type HostileGround, noise } from "./hostile-case.ts";
import { maskedFrame } from "./lean-socket.ts";

function frameCase(
  name: string,
  { weight = 2, ends = true }: { weight?: number; ends?: boolean },
  make: (ground: HostileGround) => string | Uint8Array,
): HostileCase {
  return { name, weight, ends, bytes: (ground) => maskedFrame(make(ground)) };
}

/** Mostly harmless: they are many, so that a connection lives for a while between those that end it. */
const harmless = { ends: false };
/** More than a connection may send in a second. */
const floodFrames = 300;

/** What comes over a connection whose hello was good. */
export const hostileFrames: readonly HostileCase[] = [
  {
    name: "turned bits",
    weight: 20,
    ends: false,
    bytes: ({ random, host }) => maskedFrame(flipped(random, Buffer.from(goodFrame(random, host))), 1),
  },
  frameCase("a cut", { weight: 5 }, ({ random, host }) => {
    const text = goodFrame(random, host);
    return Buffer.from(cutShort(random, Buffer.from(text))).toString();
  }),
  frameCase("a value of another type", { weight: 8 }, ({ random, host }) => withOddValue(random, host)),
  frameCase("a missing field", {}, ({ random, host }) => withoutField(random, host)),
  frameCase("a field more", {}, ({ random, host }) =>
    JSON.stringify({ ...goodObject(random, host), [random.pick(oddNames)]: 1 }),
  ),
  frameCase("a field twice", {}, () => '{"t":"beat","t":"beat","seq":1,"at":1,"values":[]}'),
  frameCase("a prototype", {}, () => '{"t":"beat","seq":1,"at":1,"values":[],"__proto__":{"t":"facts"}}'),
  frameCase("deep JSON", { weight: 4 }, ({ random }) => {
    const depth = random.pick([17, 100, 5_000, 30_000]);
    return `{"t":"beat","seq":1,"at":1,"values":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  }),
  frameCase("many keys", {}, () =>
    JSON.stringify(Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [at, 0]))),
  ),
  frameCase(
    "a number that is none of ours",
    { weight: 6 },
    ({ random }) => `{"t":"beat","seq":${random.pick(oddNumbers)},"at":${random.pick(oddNumbers)},"values":[]}`,
  ),
  frameCase("large numbers that may be", { weight: 200, ...harmless }, ({ random }) =>
    writeControlFrame({
      t: "beat",
      seq: random.below(2 ** 32),
      at: 2 ** 53 - 1,
      values: [2 ** 53 - 1, 1 - 2 ** 53, 5e-324],
    }),
  ),
  frameCase("a time of long ago", { weight: 80, ...harmless }, ({ random }) =>
    writeControlFrame({ t: "beat", seq: 0, at: random.below(2), values: [] }),
  ),
  frameCase("spaces and escapes", { weight: 150, ...harmless }, ({ random }) => spaced(random)),
  frameCase("seventeen values", {}, () =>
    writeControlFrame({ t: "beat", seq: 1, at: 1, values: Array.from({ length: 17 }, () => 0) }),
  ),
  frameCase("no object", {}, ({ random }) =>
    random.pick(["[]", "null", "1", '"beat"', "", " ", "{}", "\u0000", "\ufeff{}"]),
  ),
  frameCase("a type that nobody has", { weight: 4 }, ({ random }) => JSON.stringify({ t: random.text(30) || "x" })),
  frameCase("a type of an object's own", {}, ({ random }) =>
    JSON.stringify({ t: random.pick(["constructor", "__proto__", "toString", "hasOwnProperty"]) }),
  ),
  frameCase("a type to be ignored", { weight: 200, ...harmless }, ({ random }) =>
    JSON.stringify({ t: `~${random.text(20)}`, body: random.text(200) }),
  ),
  frameCase("a type that the server sends", {}, ({ random }) =>
    random.pick(['{"t":"beat-ack","seq":1}', '{"t":"out-ack","seq":1}', '{"t":"wake","session":"aa","grant":"aa"}']),
  ),
  frameCase("a goodbye", { weight: 1 }, () => '{"t":"bye","code":"hello.revoked"}'),
  frameCase("bytes in place of a text", { weight: 4 }, ({ random, host }) =>
    random.chance(0.5) ? Buffer.from(goodFrame(random, host)) : noise(random, 500),
  ),
  frameCase(
    "a beat that is too large",
    {},
    ({ random }) => `{"t":"beat","seq":1,"at":1,"values":[]${" ".repeat(1_024 + random.below(60_000))}}`,
  ),
  frameCase("a message that is too large", { weight: 1 }, () => `"${"a".repeat(70_000)}"`),
  frameCase("facts of another node", { weight: 4 }, ({ other }) =>
    writeControlFrame(other.facts({ kernel: "stolen" })),
  ),
  frameCase("facts that another node has signed", {}, ({ host, other }) =>
    writeControlFrame({ ...host.facts(), signed: other.facts().signed }),
  ),
  frameCase("facts with another ceiling than the signed one", {}, ({ host }) =>
    writeControlFrame({ ...host.facts(), ceiling: encodeBase64url(Buffer.from('{"level":"managed","schema":1}')) }),
  ),
  frameCase("facts with turned bits", { weight: 4 }, ({ random, host }) => {
    const sent = host.facts();
    const signed = flipped(random, Buffer.from(sent.signed, "base64url"));
    return writeControlFrame({ ...sent, signed: encodeBase64url(signed) });
  }),
  // The host's own word about itself: kept, and counted.
  frameCase("facts that are always other ones", { weight: 2, ...harmless }, ({ random, host }) =>
    writeControlFrame(host.facts({ kernel: `6.${random.below(100)}`, os: "hostile" })),
  ),
  frameCase("a channel key of another node", {}, ({ host, other }) =>
    writeControlFrame(other.channelKeyChange(host.channelKey, Date.now())),
  ),
  frameCase("a channel key that another node has signed", {}, ({ host, other }) =>
    writeControlFrame(host.channelKeyChange(other.channelKey, Date.now(), other.hostKey)),
  ),
  frameCase("the host key as channel key", { weight: 1 }, ({ host }) =>
    writeControlFrame(host.channelKeyChange(host.hostKey, Date.now())),
  ),
  frameCase("a channel key of long ago", {}, ({ host, other }) =>
    writeControlFrame(host.channelKeyChange(other.channelKey, 1)),
  ),
  frameCase("the channel key that it has", { weight: 1, ...harmless }, ({ host }) =>
    writeControlFrame(host.channelKeyChange(host.channelKey, Date.now())),
  ),
  frameCase("results that nobody asked for", {}, ({ random }) =>
    JSON.stringify({ t: "out", seq: 1 + random.below(9), kind: "outcome", body: { ok: true } }),
  ),
  // Whether it is refused depends on how fast it is read; that it harms nobody does not.
  {
    name: "a flood",
    weight: 2,
    ends: false,
    frames: floodFrames,
    bytes: () => Buffer.concat(Array.from({ length: floodFrames }, () => flood)),
  },
];

const flood = maskedFrame('{"t":"beat","seq":1,"at":1,"values":[]}');

function goodObject(random: Random, host: PretendHost): Record<string, unknown> {
  const beat = { t: "beat", seq: random.below(1_000), at: Date.now(), values: [1, 2.5, 3] };
  const change = () => host.channelKeyChange(host.channelKey, Date.now());
  return { ...random.pick([() => beat, () => host.facts(), change])() };
}

function goodFrame(random: Random, host: PretendHost): string {
  return JSON.stringify(goodObject(random, host));
}

/** A beat that is written as no agent writes it, and means the same. */
function spaced(random: Random): string {
  const gap = () => Array.from({ length: random.below(12) }, () => random.pick([" ", "\n", "\t", "\r"])).join("");
  const name = (text: string) =>
    random.chance(0.5) ? `"${text}"` : `"\\u00${text.charCodeAt(0).toString(16)}${text.slice(1)}"`;
  const fields = [
    `${name("t")}${gap()}:"beat"`,
    `${name("seq")}:${gap()}7`,
    `${name("at")}:1e3`,
    `"values":[${gap()}]`,
  ];
  return `${gap()}{${gap()}${fields.toSorted(() => random.next() - 0.5).join(`${gap()},${gap()}`)}}${gap()}`;
}

function withOddValue(random: Random, host: PretendHost): string {
  const sent = goodObject(random, host);
  const name = random.pick(Object.keys(sent));
  return JSON.stringify({ ...sent, [name]: random.pick(oddValues.filter((odd) => typeof odd !== typeof sent[name])) });
}

function withoutField(random: Random, host: PretendHost): string {
  const sent = goodObject(random, host);
  const { [random.pick(Object.keys(sent))]: _, ...rest } = sent;
  return JSON.stringify(rest);
}

const oddValues: readonly unknown[] = [null, true, "text", 1.5, { t: "beat" }, [[]]];
const oddNames = ["node", "nodeId", "actor", "T", "t ", "", "__proto_", "seq2"];
const oddNumbers = [
  "-1",
  "1.5",
  "1e400",
  "1e308",
  "-0.1",
  "9007199254740993",
  "1e21",
  "00",
  "0x1",
  "NaN",
  '"1"',
  "null",
];
