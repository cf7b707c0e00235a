/**
 * A line in which every block of addresses has its turn: whoever sends a thousand waits behind themselves. It is bounded,
 * and when it is full the block that has the most in it loses its oldest: a newcomer always gets into the line.
 */
export interface FairLine<Item> {
  readonly size: number;
  /** What had to make room, if anything. */
  push(block: string, item: Item): Item | undefined;
  take(): Item | undefined;
}

interface Waiting<Item> {
  readonly item: Item;
  readonly since: number;
}

export function openFairLine<Item>(most: number): FairLine<Item> {
  /** In the order of their next turns. No block stands here with nothing. */
  const blocks = new Map<string, Waiting<Item>[]>();
  let size = 0;
  let pushed = 0;

  const takeFrom = (block: string, own: Waiting<Item>[]): Item | undefined => {
    const first = own.shift();
    blocks.delete(block);
    // Behind the others, whose turn comes first.
    if (own.length > 0) blocks.set(block, own);
    size -= 1;
    return first?.item;
  };
  const longest = (): [string, Waiting<Item>[]] | undefined => {
    let found: [string, Waiting<Item>[]] | undefined;
    for (const entry of blocks) if (found === undefined || isMore(entry[1], found[1])) found = entry;
    return found;
  };

  return {
    get size() {
      return size;
    },
    push: (block, item) => {
      const own = blocks.get(block);
      const waiting = { item, since: (pushed += 1) };
      if (own === undefined) blocks.set(block, [waiting]);
      else own.push(waiting);
      size += 1;
      if (size <= most) return undefined;
      const crowd = longest();
      if (crowd === undefined) return undefined;
      const [name, items] = crowd;
      const dropped = items.shift();
      if (items.length === 0) blocks.delete(name);
      size -= 1;
      return dropped?.item;
    },
    take: () => {
      for (const [block, own] of blocks) return takeFrom(block, own);
      return undefined;
    },
  };
}

/** More in the line, or as many and the oldest of all. */
function isMore<Item>(one: readonly Waiting<Item>[], other: readonly Waiting<Item>[]): boolean {
  if (one.length !== other.length) return one.length > other.length;
  return (one[0]?.since ?? 0) < (other[0]?.since ?? 0);
}
