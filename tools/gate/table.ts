/** Columns as wide as their widest cell; the last one is left as it is. */
export function table(lines: readonly (readonly string[])[]): string {
  const columns = Math.max(...lines.map((line) => line.length)) - 1;
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
