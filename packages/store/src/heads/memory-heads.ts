import { type KeptHead, type KeptHeads, mostKeptHeads, nextHeadNumber } from "./kept-heads.ts";

/** Heads without a disk, for tests. What is handed in outlives the adapter. */
export function memoryHeads(kept: KeptHead[] = []): KeptHeads {
  return {
    newest: async () => kept.at(-1),
    keep: async (head) => {
      const expected = nextHeadNumber(kept.at(-1));
      if (head.n !== expected) throw new RangeError(`expected head ${expected}, found ${head.n}`);
      kept.push(head);
      if (kept.length > mostKeptHeads) kept.shift();
    },
    list: async (from, limit) => {
      const begin = kept.findIndex(({ n }) => n === from);
      return begin === -1 ? [] : kept.slice(begin, begin + limit);
    },
  };
}
