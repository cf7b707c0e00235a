import { Random } from "../../../tests/support/random.ts";

/**
 * Strings that must never reach a command line or a configuration text (security classes 45, 79, 80 and 81): each is a good
 * value with something put before, into or behind it. The same numbers come out on every run.
 */
export function hostileStrings(good: string, count = 1_000): string[] {
  const random = new Random(0x9e37);
  const strings = new Set<string>();
  while (strings.size < count) {
    const evil = random.pick(hostilePieces) + (random.chance(0.5) ? "" : random.pick(hostilePieces));
    const at = random.below(good.length + 1);
    const form = random.below(4);
    if (form === 0) strings.add(evil);
    else if (form === 1) strings.add(evil + good);
    else if (form === 2) strings.add(good + evil + String(random.below(1_000)));
    else strings.add(good.slice(0, at) + evil + good.slice(at));
  }
  return [...strings];
}

/** Each holds at least one character that no pattern lets through, so it is hostile wherever it stands. */
export const hostilePieces = [
  '"; flush ruleset; #',
  '" accept comment "',
  "\n  accept\n",
  "\r\nPrivateKey = AAAA",
  "\nPostUp = id",
  "; nft flush ruleset",
  "} table inet other {",
  "{ 0.0.0.0/0 }",
  "`id`",
  "$(id)",
  "\u0024{IFS}id",
  "| id",
  "&& id",
  "> /etc/passwd",
  "\0",
  "\\",
  "\\n",
  "%s%n",
  "*",
  "?",
  "!",
  "~root",
  "'",
  "'--",
  "\t",
  "\u2028",
  "\u2029",
  "\u202e",
  "\u200b",
  "\u0085",
  "\u001b[2J",
  "\u009b2J",
  "\ufeff",
  "\uff0e\uff0e\uff0f",
  "\u212a",
  "\ud800",
  "#",
  "<script>",
  "[Peer]",
  "a,b",
  "\u0000-f",
  "=(",
  "(nc 127.0.0.1)",
  "^",
];
