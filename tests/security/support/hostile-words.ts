import type { Chance } from "./chance.ts";
import { joined } from "./joined.ts";

/**
 * Pieces that mean something to a shell, to nft, to wg, to systemd or to a program's options, and harmless ones between them, so
 * that many of the words are good in part and some of them altogether.
 */
const pieces = joined(
  Array.from("ab0.-_:/@+ "),
  Array.from("\"'`$\\;|&<>()[]{}*?!#~=,%^\t\n\r\0"),
  ["$(id)", "${IFS}", "&&", "||", ">>", "../", "..", "//", "/..", "~root", "%n%s", "\\n", "\\x0a", "%0a", "&#10;"],
  ["--", "-f", "--file=/etc/shadow", "-exec", "@/etc/passwd", "@-", "+x", "-o ProxyCommand=id", "--root=/", "-H evil"],
  ['" accept comment "', "; flush ruleset", "} table inet x {", "accept", "drop", "jump evil", "include", "define x ="],
  ["\nPostUp = id", "PrivateKey = AAAA", "[Peer]", "[Interface]", "AllowedIPs = 0.0.0.0/0", "Endpoint = evil:1"],
  ["0.0.0.0/0", "::/0", "10.0.0.0/8", "10.0.0.1/8", "::ffff:10.0.0.1", "010.0.0.1", "1", "65536", "127.1", "0x7f.1"],
  [
    "\u2028",
    "\u2029",
    "\u0085",
    "\u00a0",
    "\u202e",
    "\u200b",
    "\ufeff",
    "\u001b[2J",
    "\u009b2J",
    "\ud800",
    "\uff0d\uff0d",
  ],
  ["\u037e", "\u2024\u2024\u2215", "\u212a", "\u{1f9a6}", "é", "e\u0301"],
  ["web", "eth0", "wg0", "gatehouse_netguard", "nginx.service", "/etc/motd", "root", "office", "vpn.example.net"],
  ["__proto__", "constructor", "prototype", "toString", "any", "true", "null", "undefined", "NaN"],
);

/** One word for a field whose good value is known: on its own, or with something put before, into or behind the good one. */
export function hostileWord(chance: Chance, good: string): string {
  const evil = Array.from({ length: 1 + chance.below(4) }, () => chance.pick(pieces)).join("");
  const at = chance.below(good.length + 1);
  return chance.pick([evil, evil + good, good + evil, good.slice(0, at) + evil + good.slice(at)]);
}

export interface StringField {
  readonly path: readonly (string | number)[];
  readonly good: string;
}

/** Every text in a value, with its place. */
export function stringFields(value: unknown, path: StringField["path"] = []): StringField[] {
  if (typeof value === "string") return [{ path, good: value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    stringFields(item, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** Every name of a field, with the place of the object it belongs to. */
export function fieldNames(
  value: unknown,
  path: StringField["path"] = [],
): { path: StringField["path"]; name: string }[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    Array.isArray(value)
      ? fieldNames(item, [...path, Number(key)])
      : [{ path, name: key }, ...fieldNames(item, [...path, key])],
  );
}

/** A copy with another text at the place. */
export function withText(value: unknown, path: StringField["path"], text: string): unknown {
  const copy = structuredClone(value) as Record<string | number, unknown>;
  const last = path.at(-1);
  if (last === undefined) return text;
  parentOf(copy, path.slice(0, -1))[last] = text;
  return copy;
}

/** A copy in which a field has another name, as JSON would give it: also `__proto__` is a field then. */
export function withName(
  value: unknown,
  { path, name }: { path: StringField["path"]; name: string },
  other: string,
): unknown {
  const copy = structuredClone(value) as Record<string | number, unknown>;
  const parent = parentOf(copy, path);
  const kept = parent[name];
  delete parent[name];
  Object.defineProperty(parent, other, { value: kept, enumerable: true, configurable: true, writable: true });
  return copy;
}

function parentOf(
  value: Record<string | number, unknown>,
  path: StringField["path"],
): Record<string | number, unknown> {
  return path.reduce((found, part) => found[part] as Record<string | number, unknown>, value);
}
