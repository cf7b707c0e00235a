/** Makes a name or text of others fit to be shown: nothing that moves a cursor, turns the direction or hides is kept. */
export function printable(text: string, most = 80): string {
  const characters = Array.from(text.slice(0, most * 2));
  const shown = characters.slice(0, most);
  const escaped = shown.map((character) => (hidden.test(character) ? escape(character) : character)).join("");
  return shown.join("").length === text.length ? escaped : `${escaped}…`;
}

/** A value of a manifest or policy as "found …" shows it: short, and never the inside of an object. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return `"${printable(value)}"`;
  if (Array.isArray(value)) return value.length === 1 ? "an array of 1 item" : `an array of ${value.length} items`;
  if (typeof value === "object" && value !== null) return "an object";
  return JSON.stringify(value);
}

/** Control, format, surrogate and private characters, and every separator but the plain space. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

function escape(character: string): string {
  return `\\u{${Number(character.codePointAt(0)).toString(16)}}`;
}
