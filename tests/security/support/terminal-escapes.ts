/**
 * Texts on which a terminal, a pager or a reader acts: the clipboard, links, reports that are typed as if by the user, titles,
 * the screen, the bell, the direction of reading.
 */
export const terminalEscapes: readonly string[] = [
  "\u001b]52;c;cm0gLXJmIC8K\u0007",
  "\u001b]52;c;?\u001b\\",
  "\u009d52;c;cm0gLXJmIC8K\u009c",
  "\u001b]8;;https://evil.test/\u001b\\harmless\u001b]8;;\u001b\\",
  '\u001bP$q"p\u001b\\',
  "\u0090$qm\u009c",
  "\u001bP+q544e\u001b\\",
  "\u001b[21t",
  "\u009b21t",
  "\u001b]0;id\u0007\u001b[21t",
  "\u001b[6n\u001b[c\u001b[>c\u0005",
  "\u001b[2J\u001b[H\u001b[1;31mroot#\u001b[0m",
  "\u009b2J\u009b1;1H",
  "\u001b[?1049h\u001b[?1000h",
  "\u001b_apc\u001b\\\u001b^pm\u001b\\\u001bXsos\u001b\\",
  "\u001b]1337;File=inline=1:AAAA\u0007",
  "\u001b]7;file:///etc/passwd\u0007",
  "\u001bc\u001b#8\u001b[4h",
  "\u0007".repeat(60),
  "approved\rrefused ",
  "approved\b\b\b\b\b\b\b\brefused ",
  "\u007f\u007f\u007f",
  "a\u202egpj.exe\u202c",
  "\u2066\u2067\u2068\u2069\u061c\u200e\u200f",
  "line\u2028forged\u2029forged\u0085forged",
  "\u200b\u200c\u200d\u2060\ufeff\u00ad",
  "\u{e0001}\u{e0069}\u{e0064}",
  "\u000e\u000f\u001a\u0004\u0000\u0018",
];

/** What no stored word of a plugin may hold. A line end and a tab are for texts of several lines. */
export const actsOnReaders = /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
/** The same for bytes that are shown as they are: a line end ends a line, and nothing else is there. */
export const actsOnTerminals = /[^\P{Cc}\n]|[\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Every text in a JSON value, keys too. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)]);
}
