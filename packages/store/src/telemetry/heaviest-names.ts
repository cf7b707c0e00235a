type Sums = ReadonlyMap<string, number>;

/** More than a fleet has of nodes and of honest names of logs. */
const mostNames = 20_000;

/** The names with the most lines, the most first, and where they are alike by name. */
export function heaviestNames(sums: Sums, count: number): [string, number][] {
  const values = Float64Array.from(sums.values()).toSorted();
  // Only those that can be among them are put in order: numbers are compared much sooner than names.
  const least = values.at(-count) ?? Number.NEGATIVE_INFINITY;
  const among = [...sums].filter(([, lines]) => lines >= least);
  return among.toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, count);
}

/** Of many more names than there can be honest ones, those that count: whoever makes up names costs no more than this. */
export function boundNames(sums: Map<string, number>): void {
  if (sums.size < 2 * mostNames) return;
  const kept = heaviestNames(sums, mostNames);
  sums.clear();
  for (const [name, lines] of kept) sums.set(name, lines);
}
