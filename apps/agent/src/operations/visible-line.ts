/** A line that somebody else wrote, as people may be shown it: nothing hidden, nothing that moves, and no half of a character. */
export function visibleLine(line: string, mostLength: number): string {
  return line
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, " ")
    .trimEnd()
    .slice(0, mostLength)
    .toWellFormed();
}
