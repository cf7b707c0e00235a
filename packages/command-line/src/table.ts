/** Rows under a head, in columns as wide as they need to be; lines for a report. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd());
}

/** `1 user`, `2 users`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Whole seconds are enough for people; machines get what the server said. */
export function shortTime(iso: string | null): string {
  return iso === null ? "-" : iso.replace(/\.\d+Z$/, "Z");
}
