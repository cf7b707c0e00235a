/** A table of Markdown cells, with columns padded so that the source reads as a table too. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  // The last column is for prose and not padded: it would make every line as long as the longest.
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join(" | ")} |`;
  const rule = widths.map((width, column) => "-".repeat(column === widths.length - 1 ? 3 : width));
  const [first = [], ...rest] = cells;
  return [line(first), line(rule), ...rest.map(line)];
}

export function codeSpan(text: string): string {
  return `\`${text}\``;
}

/** Said at the top of every page that is made from a table, so that nobody edits the page instead. */
export function generatedFrom(source: string): string {
  return `<!-- Made from ${source} by \`node tools/write-docs.ts\`; edit that file, not this page. -->`;
}
