/** Anything that is found by a label and a hint. */
export interface Findable {
  readonly label: string;
  readonly hint?: string;
}

/**
 * What fits the typed words, the best first: every word must be in the label or the hint. Worked out at once and not
 * later, because Enter may follow the last letter within the same moment and must not run what fitted before it.
 */
export function findItems<Item extends Findable>(items: readonly Item[], typed: string): readonly Item[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return items
    .map((item) => ({ item, rank: rankOf(item, words) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ item }) => item);
}

/** 0 where the label begins with the words, 1 where each begins a word of it, 2 elsewhere in it, 3 in the hint. */
function rankOf({ label, hint = "" }: Findable, words: readonly string[]): number | undefined {
  const name = label.toLowerCase();
  const all = `${name} ${hint.toLowerCase()}`;
  if (!words.every((word) => all.includes(word))) return undefined;
  if (name.startsWith(words.join(" "))) return 0;
  if (words.every((word) => ` ${name}`.includes(` ${word}`))) return 1;
  return words.every((word) => name.includes(word)) ? 2 : 3;
}
