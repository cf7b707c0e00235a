import { capabilityNames } from "@gatehouse/contract";
import { bad, good } from "./manifest-pool.ts";
import type { Random } from "../support/random.ts";

/** A manifest while it is being spoilt: plain data, of any form. */
export type Loose = Record<string, unknown>;

/** Values that are odd to somebody: of another type, too long, invisible, out of range, or nearly right. */
const odd: readonly ((random: Random) => unknown)[] = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 1.5,
  () => 2 ** 53,
  () => 1e300,
  () => "",
  () => " ",
  () => "acme",
  () => "guild",
  () => "ACME",
  () => "acme\u0000",
  () => "acme\u200b",
  () => "\u0430cme",
  () => "acme-one\n",
  () => "../acme-one",
  () => "/apps/../api",
  () => "\ud800",
  () => "\u202eenoha",
  () => "constructor",
  () => "__proto__",
  () => "toString",
  () => "1.0.0",
  () => "1.0.0+build",
  () => "01.0.0",
  () => "999999999999999999999.0.0",
  () => "2027-01-01T00:00:00Z",
  () => "2027-02-30T00:00:00Z",
  () => "9999-12-31T23:59:59Z",
  () => "2027-01-01",
  () => [],
  () => {
    return {};
  },
  () => ["kv:read", "kv:read"],
  () => ["kv:write", "kv:read"],
  () => ["kv:everything"],
  () => ["host:firewall"],
  () => deep(40),
  (random) => random.text(40),
  (random) => random.below(1_000_000),
  (random) => [random.pick(capabilityNames)],
  (random) => "0123456789abcdef".repeat(4).slice(random.below(8)),
];

/** Rare, because they make a manifest large and the judging slow. */
const large: readonly ((manifest: Loose) => unknown)[] = [
  () => "x".repeat(50_000),
  () => Array.from({ length: 300 }, () => "kv:read"),
  () => deep(200),
  ({ id }) => {
    const entry = { component: "a.b", title: "t", path: `/apps/${String(id)}` };
    return { nav: Array.from({ length: 400 }, () => entry), enhancements: [] };
  },
];

const surplusNames = ["__proto__", "constructor", "prototype", "toString", "trusted", "signature", "publicKey", "Id"];

/** Spoils one thing in a manifest, in place. */
export function spoilValue(random: Random, manifest: Loose): void {
  if (random.chance(0.005)) putSomewhere(random, manifest, random.pick(large)(manifest));
  else random.pick(ways)(random, manifest);
}

const ways: readonly ((random: Random, manifest: Loose) => void)[] = [
  (random, manifest) => putSomewhere(random, manifest, random.pick(odd)(random)),
  (random, manifest) => putSomewhere(random, manifest, random.pick(odd)(random)),
  (random, manifest) => putSomewhere(random, manifest, random.pick(odd)(random)),
  // Defined as an own member, also where the name is special: that is how a parser would make it.
  (random, manifest) =>
    define(
      random.pick(objectsIn(manifest)),
      random.chance(0.7) ? random.pick(surplusNames) : random.text(12),
      random.pick(odd)(random),
    ),
  (random, manifest) => {
    const holder = random.pick(objectsIn(manifest));
    const names = Object.keys(holder);
    if (names.length > 0) delete holder[random.pick(names)];
  },
  // A field of another signed manifest, which is well-formed and says something else.
  (random, manifest) => {
    const other = random.pick([...good, ...bad]).manifest;
    const name = random.pick(Object.keys(other));
    manifest[name] = structuredClone((other as unknown as Loose)[name]);
  },
  (random, manifest) => {
    manifest["version"] = `${random.below(9)}.${random.below(9)}.${random.below(99)}`;
  },
  (random, manifest) => {
    manifest["name"] = random.text(12);
  },
  (random, manifest) => {
    manifest["capabilities"] = capabilityNames.filter(() => random.chance(0.3)).sort();
  },
  (_, manifest) => {
    manifest["egress"] = { hosts: ["evil.example.org"] };
  },
  (random, manifest) => {
    const id = String(manifest["id"]);
    const path = random.pick([
      `/apps/${id}`,
      `/apps/${id}/x`,
      "/apps/other",
      "/login",
      `/apps/${id}//x`,
      `/apps/${id}/../x`,
    ]);
    manifest["contributions"] = {
      nav: [{ component: random.pick(["netguard.firewall", "no.such", "x"]), title: "T", path }],
      enhancements: [],
    };
  },
];

function putSomewhere(random: Random, manifest: Loose, value: unknown): void {
  const holder = random.pick(objectsIn(manifest));
  const names = Object.keys(holder);
  if (names.length > 0) holder[random.pick(names)] = value;
}

function define(holder: Loose, name: string, value: unknown): void {
  if (Array.isArray(holder)) {
    holder.push(value);
    return;
  }
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Every object and list in a manifest, itself first. What was nested for its depth is left alone. */
function objectsIn(value: unknown, depth = 0): Loose[] {
  if (typeof value !== "object" || value === null || depth > 6) return [];
  return [value as Loose, ...Object.values(value).flatMap((member) => objectsIn(member, depth + 1))];
}

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}
