import type { Found } from "./found.ts";

/** One after the other, as a single host can be attacked. */
export async function inTurn<Item>(
  items: Iterable<Item>,
  attempt: (item: Item) => Promise<Found | readonly Found[]>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const item of items) found.push(...[await attempt(item)].flat());
  return found;
}
