/**
 * Words of a plugin inside a reason, as they may be kept and shown: on one line, with a visible mark for everything that a
 * terminal or a reader would act on instead of showing it. The audit log keeps reasons for good.
 */
export function oneVisibleLine(text: string, most: number): string {
  const visible = text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "\u{FFFD}");
  // Cut where it may, but never through the middle of a character.
  return visible.slice(0, most).toWellFormed();
}
