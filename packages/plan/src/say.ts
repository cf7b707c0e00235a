/** Small parts of sentences, the same in every program: no locale decides. */
export function countOf(number: number, noun: string, nouns = `${noun}s`): string {
  return `${groupDigits(number)} ${number === 1 ? noun : nouns}`;
}

/** 1204 as 1,204. */
export function groupDigits(number: number): string {
  const digits = String(number);
  const first = digits.length % 3;
  const groups = digits.slice(first).match(/[0-9]{3}/g) ?? [];
  return [...(first === 0 ? [] : [digits.slice(0, first)]), ...groups].join(",");
}

export function sayList(items: readonly string[], before = "and"): string {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} ${before} ${items.at(-1)}`;
}

/** What a host told, on one line and with nothing hidden in it: neither a line end nor a mark that turns the direction. */
export function escapeHidden(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu,
    (hidden) => `\\u{${(hidden.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
