const million = 1_000_000;

/** Texts of about a megabyte and more, each hard in its own way. */
export const hard: Readonly<Record<string, () => string>> = {
  "depth 1e6": () => "[".repeat(million),
  "depth 1e6, closed": () => "[".repeat(million) + "]".repeat(million),
  "objects nested 1e5 times": () => `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`,
  "1e6 keys": () => `{${Array.from({ length: million }, (_, n) => `"${n}":0`).join()}}`,
  "1e6 equal keys": () => `{${'"a":0,'.repeat(million)}"a":0}`,
  "1e6 items": () => `[${"0,".repeat(million)}0]`,
  "1e6 empty objects": () => `[${"{},".repeat(million)}{}]`,
  "keys that are numbers, backwards": () =>
    `{${Array.from({ length: 9_000 }, (_, n) => `"${4_294_967_000 - n}":0`).join()}}`,
  "a string of escapes": () => `"${"\\u0041".repeat(400_000)}"`,
  "a string of pairs": () => `"${"\\ud83d\\ude00".repeat(200_000)}"`,
  "a long number": () => "1".repeat(million),
  "a long fraction": () => `0.${"1".repeat(million)}`,
  "a long exponent": () => `1e${"9".repeat(million)}`,
  "a long blank": () => `${" ".repeat(2 * million)}x`,
  "blanks between": () => `[${`1${" ".repeat(1_000)},`.repeat(1_000)}1]`,
  "a string without end": () => `"${"a".repeat(2 * million)}`,
  backslashes: () => `"${"\\\\".repeat(million)}`,
};
