import { hostilePieces } from "../../packages/plan/src/hostile-cases.ts";
import { Random } from "../support/random.ts";

/**
 * Strings that no field of an operation may let through, unless it is one of free text: options, lists, paths that climb, nothing,
 * too much; then good values with something put before, into or behind them, and good values with a letter that only looks alike.
 */
export function hostileStringsFor({ name, good, seed, field, count }: WantedStrings): string[] {
  const random = new Random(seed, field);
  const strings = new Set<string>([...whole, ...(ofField[name] ?? [])]);
  const harmless = [good, ...(goodIn[name] ?? [])];
  while (strings.size < count + harmless.length) strings.add(drawString(random, good));
  for (const one of harmless) strings.delete(one);
  return [...strings].slice(0, count);
}

export interface WantedStrings {
  /** Of the field. */
  readonly name: string;
  readonly good: string;
  readonly seed: number;
  /** Each draws for itself. */
  readonly field: number;
  readonly count: number;
}

/** Good elsewhere, and hostile in a field of this name. */
const ofField: Readonly<Record<string, readonly string[]>> = {
  table: ["filter", "nat", "gatehouse", "gatehouse_", "gatehouse_A", "gatehouse-x", "gatehouse_x.nft", "inet"],
  unit: [
    "nginx",
    "nginx.socket",
    "multi-user.target",
    "nginx.service.d",
    "nginx.SERVICE",
    `${"a".repeat(121)}.service`,
  ],
  path: ["etc", "nginx.service", `/${"a".repeat(129)}`, "/a".repeat(33), "/.", "/a/.."],
  mode: ["4755", "2755", "1777", "00644", "644", "0o644", "0888", "7777", "06440"],
  owner: ["0", "Root", "a".repeat(33), "1root"],
  group: ["0", "Root", "a".repeat(33), "1root"],
  label: ["a".repeat(65), "web-", ".web", " web", "web "],
  interface: [
    "wg",
    "eth0",
    "lo",
    "wg0.conf",
    "wg-0",
    "wg_0",
    "WG0",
    "wg0@eth0",
    "wg0:1",
    "wg0 up",
    `wg${"0".repeat(13)}`,
  ],
  publicKey: ["(none)", "none", "off", "/etc/shadow", "A".repeat(44), `${"A".repeat(42)}B=`, "A".repeat(43)],
  addresses: [
    ["10.9.0.1", "10.9.0.1/0", "::/0", "0.0.0.0/8", "127.0.0.1/8", "224.0.0.1/4", "fe80::1/64", "::1/128"],
    ["10.9.0.1/7", "192.0.2.1/23", "169.254.1.1/16", "fd00::1/15", "2001:db8::1/47"],
  ].flat(),
  allowedIps: [
    ["0.0.0.0/0", "::/0", "10.9.0.2", "default", "any", "fe80::/64", "::c000:201/128", "10.9.0.2/32,"],
    ["0.0.0.0/1", "128.0.0.0/1", "2000::/3", "fc00::/7", "192.0.2.0/23", "169.254.169.254/32"],
  ].flat(),
  host: ["vpn.example.net", "localhost", "192.0.2.1:1", "[2001:db8::1]", "fe80::1%eth0", "0x7f000001", "2130706433"],
};

/** Hostile elsewhere, and good in a field of this name. */
const goodIn: Readonly<Record<string, readonly string[]>> = { addresses: ["10.0.0.1/8"] };

/** Hostile altogether. */
const whole = [
  [
    "",
    " ",
    "-",
    "--",
    "-f",
    "-c",
    "--now",
    "--root=/",
    "--host=root@evil",
    "-H root@evil",
    "--property=X",
    "-.service",
  ],
  ["--now.service", "@x.service", "@/etc/passwd", "*.service", "?.service", "[a-z].service", "a.service b.service"],
  [
    "a.service\nb.service",
    ".service",
    "a.socket ",
    "../a.service",
    "/etc/../etc/shadow",
    "..",
    ".",
    "./x",
    "../../etc",
  ],
  [
    "//",
    "//etc/shadow",
    "/etc//shadow",
    "/etc/./shadow",
    "/etc/shadow/",
    "/",
    "/..",
    "etc/shadow",
    "~/x",
    "file:///etc",
  ],
  [
    'include "/etc/shadow"',
    "} }",
    "};",
    "# comment",
    "table inet filter {",
    "flush ruleset;",
    "$x",
    "@set",
    "0.0.0.0/0;",
  ],
  ["10.0.0.0/8, ::/0", "10.0.0.1/8", "010.0.0.0/8", "::ffff:10.0.0.0/104", "10.0.0.0/33", "0x7f000001/8", "1;2"],
  ["u+s", "root:root", "0:0", "root ", "\troot", "ROOT$", "%admin", "true!", "null;", "[object Object]"],
  ["a".repeat(70_000), "a/".repeat(40_000), "\u0000".repeat(70_000), "\ud83d".repeat(70_000)],
].flat();

/** Letters of another alphabet, and signs, that look like ours. */
const alike: Readonly<Record<string, string>> = {
  a: "\u0430",
  c: "\u0441",
  e: "\u0435",
  i: "\u0456",
  k: "\u212a",
  o: "\u03bf",
  p: "\u0440",
  s: "\u017f",
  t: "\u0442",
  x: "\u0445",
  0: "\uff10",
  1: "\u0661",
  "-": "\u2010",
  ".": "\u2024",
  "/": "\u2215",
  ":": "\ua789",
  _: "\uff3f",
};

/** Hidden ones, one of which is only half a character. */
const hidden = [
  "\u200b",
  "\u200d",
  "\u2060",
  "\u202d",
  "\u2066",
  "\u00ad",
  "\u034f",
  "\ue000",
  "\udc00",
  "\u0000",
  "\u007f",
];

function drawString(random: Random, good: string): string {
  const form = random.below(6);
  if (form === 0) return disguised(random, good);
  const evil = [random.pick(hostilePieces), random.chance(0.5) ? drawPiece(random) : ""].join("");
  const at = random.below(good.length + 1);
  if (form === 1) return evil;
  if (form === 2) return evil + good;
  if (form === 3) return `${good}${evil}${random.below(1_000)}`;
  if (form === 4) return good.slice(0, at) + random.pick(hidden) + good.slice(at) + drawPiece(random);
  return good.slice(0, at) + evil + good.slice(at);
}

function drawPiece(random: Random): string {
  return random.chance(0.7) ? random.pick(hostilePieces) : random.bytes(6);
}

/** One letter or more that is another. */
function disguised(random: Random, good: string): string {
  const changed = Array.from(good, (letter) => (random.chance(0.5) ? (alike[letter] ?? letter) : letter)).join("");
  return changed === good ? `${good}${random.pick(Object.values(alike))}${drawPiece(random)}` : changed;
}
