/**
 * What a terminal, a log shipper or a reader could take for something else than text: C0 and C1 controls (so also ANSI
 * escapes and NUL), line and paragraph separators, marks that turn the writing direction, and halves of characters.
 */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Writes such characters as JSON escapes, so that text from outside stays inside its line and inert. */
export function oneLine(text: string): string {
  return text.replaceAll(unsafe, (character) => {
    return short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
