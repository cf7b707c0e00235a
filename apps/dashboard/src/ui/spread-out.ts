/**
 * Moves what stands on one line apart until all have room, each as little as the order allows, and none beyond the ends. The answer is
 * in the order of what was given.
 */
export function spreadOut(places: readonly number[], gap: number, most: number): readonly number[] {
  const order = places.map((place, key) => ({ key, place })).toSorted((a, b) => a.place - b.place);
  // Groups that touch are laid around their own middle, as often as a group grows into the next.
  const groups: { keys: number[]; middle: number }[] = [];
  for (const { key, place } of order) {
    groups.push({ keys: [key], middle: place });
    for (let last = groups.at(-1), before = groups.at(-2); last && before; before = groups.at(-2)) {
      if (startOf(last, gap, most) - startOf(before, gap, most) >= before.keys.length * gap) break;
      groups.pop();
      const size = before.keys.length + last.keys.length;
      before.middle = (before.middle * before.keys.length + last.middle * last.keys.length) / size;
      before.keys.push(...last.keys);
      last = before;
    }
  }
  const found = places.map(() => 0);
  for (const group of groups) {
    const start = startOf(group, gap, most);
    for (const [at, key] of group.keys.entries()) found[key] = start + at * gap;
  }
  return found;
}

/** Where the first of a group stands. */
function startOf(
  { keys, middle }: { readonly keys: readonly number[]; readonly middle: number },
  gap: number,
  most: number,
) {
  const length = (keys.length - 1) * gap;
  return Math.max(0, Math.min(middle - length / 2, most - length));
}
