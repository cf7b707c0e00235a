import { deliveryLimits } from "./limits.ts";

/** What chat services take for a command, a link or the name of somebody: they must not be called by the name of a host. */
const spoken: Readonly<Record<string, string>> = { "<": "‹", ">": "›", "@": "＠", "`": "'" };

/** One line that a chat service shows as it stands, whatever the names in it hold. */
export function sayPlainly(text: string): string {
  const plain = text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, " ")
    .replaceAll(/[<>@`]/g, (one) => spoken[one] ?? " ");
  const most = deliveryLimits.textCharacters;
  return plain.length > most ? `${plain.slice(0, most).replace(/[\ud800-\udbff]$/, "")}…` : plain;
}

/** The first few by name. */
export function sayHosts(names: readonly string[]): string {
  const [first = "", second, third] = names;
  if (second === undefined) return first;
  if (names.length === 2) return `${first} and ${second}`;
  if (names.length === 3) return `${first}, ${second} and ${third}`;
  return `${first}, ${second} and ${names.length - 2} more`;
}
