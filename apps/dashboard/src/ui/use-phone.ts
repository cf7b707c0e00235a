import { useAtMost } from "./use-at-most.ts";

/** The same width at which the style sheets turn tables into lists. */
const phoneWidth = 720;

/** For what a phone has in another place; what only looks different is the style sheets' work. */
export function usePhone(): boolean {
  return useAtMost(phoneWidth);
}
