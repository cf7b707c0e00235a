/**
 * Text of a plugin as it may be kept and shown: no control character but line ends and tabs, nothing that turns the reading
 * direction, no half of a pair. Each becomes a visible mark, so that nobody's terminal obeys a plugin.
 */
export function maskControls(text: string): string {
  return text
    .toWellFormed()
    .replaceAll("\r\n", "\n")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
      character === "\n" || character === "\t" ? character : "\u{FFFD}",
    );
}
