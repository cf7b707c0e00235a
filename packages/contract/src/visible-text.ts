import * as z from "zod";

/** Nothing hidden, no second line, no blank at either end: it is shown beside texts that others trust. */
export function visibleText(most: number) {
  const expected = `must be 1 to ${most} visible characters on one line, with no space at either end`;
  return z.string().max(most, expected).regex(visibleLine, expected);
}
const visibleLine = /^(?! )(?:[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Z}]| )+(?<! )$/u;
