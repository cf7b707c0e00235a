export type Sized = {
  /** Pixels below which its words would break; 96 unless said. */
  least?: number;
  /** May be left out where there is no room, the lowest first. */
  drop?: number;
};

const usual = 96;
const leastTable = 440;

/** The columns that have room beside each other, or `null` when the rows have to become a list. */
export function fitColumns<Column extends Sized>(
  columns: readonly Column[],
  width: number | undefined,
): readonly Column[] | null {
  if (width === undefined) return columns;
  // On a phone a row is pressed by a finger, which a line of a table is too low for.
  if (width < leastTable) return null;
  let kept = columns;
  while (widthOf(kept) > width) {
    const [next] = kept.filter(({ drop }) => drop !== undefined).sort((a, b) => (a.drop ?? 0) - (b.drop ?? 0));
    if (next === undefined) return null;
    kept = kept.filter((column) => column !== next);
  }
  return kept;
}

function widthOf(columns: readonly Sized[]): number {
  return columns.reduce((sum, { least = usual }) => sum + least, 0);
}
