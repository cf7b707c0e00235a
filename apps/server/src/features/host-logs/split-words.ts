import { hostLogLimits } from "@gatehouse/contract";

/** `timeout "timed out"` as words and phrases, each once. An open quote ends with the text. */
export function splitWords(text: string): readonly string[] {
  const parts = text.split('"').flatMap((part, n) => (n % 2 === 1 ? [part.trim()] : part.split(/\s+/)));
  return [...new Set(parts.filter((part) => part !== ""))].slice(0, hostLogLimits.words);
}
