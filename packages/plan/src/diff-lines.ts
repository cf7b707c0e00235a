/** One line of a change, as a reviewer reads it. */
export interface PlanDiffLine {
  readonly mark: "same" | "added" | "removed";
  readonly text: string;
}

/** A line, and what makes it the same as another: two spellings of one rule are no change. */
export interface KeyedLine {
  readonly text: string;
  readonly key: string;
}

/** Above this many lines that differ, no common ones are looked for: the table of the search grows with their product. */
export const mostComparedLines = 4_000;

/** The shortest way from one text to the other; removals before additions. A line that stays has its new spelling. */
export function diffLines(before: readonly KeyedLine[], after: readonly KeyedLine[]): PlanDiffLine[] {
  const alike = (a: number, b: number) => before[a]?.key === after[b]?.key;
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && alike(head, head)) head += 1;
  let tail = 0;
  while (tail < most - head && alike(before.length - 1 - tail, after.length - 1 - tail)) tail += 1;
  const old = before.slice(head, before.length - tail);
  const fresh = after.slice(head, after.length - tail);
  const middle =
    old.length + fresh.length > mostComparedLines
      ? [...marked("removed", old), ...marked("added", fresh)]
      : compare(old, fresh);
  return [...marked("same", after.slice(0, head)), ...middle, ...marked("same", after.slice(after.length - tail))];
}

export function marked(mark: PlanDiffLine["mark"], lines: readonly { readonly text: string }[]): PlanDiffLine[] {
  return lines.map(({ text }) => ({ mark, text }));
}

/** By the longest common subsequence. */
function compare(before: readonly KeyedLine[], after: readonly KeyedLine[]): PlanDiffLine[] {
  const width = after.length + 1;
  // The length of what is common behind each pair of positions.
  const common = new Uint16Array((before.length + 1) * width);
  const at = (a: number, b: number) => common[a * width + b] ?? 0;
  for (let a = before.length - 1; a >= 0; a -= 1) {
    for (let b = after.length - 1; b >= 0; b -= 1) {
      const same = before[a]?.key === after[b]?.key;
      common[a * width + b] = same ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1));
    }
  }
  const lines: PlanDiffLine[] = [];
  for (let a = 0, b = 0; a < before.length || b < after.length; ) {
    const [old, fresh] = [before[a], after[b]];
    if (old !== undefined && fresh !== undefined && old.key === fresh.key) {
      lines.push({ mark: "same", text: fresh.text });
      a += 1;
      b += 1;
    } else if (old !== undefined && (fresh === undefined || at(a + 1, b) >= at(a, b + 1))) {
      lines.push({ mark: "removed", text: old.text });
      a += 1;
    } else {
      lines.push({ mark: "added", text: fresh?.text ?? "" });
      b += 1;
    }
  }
  return lines;
}
