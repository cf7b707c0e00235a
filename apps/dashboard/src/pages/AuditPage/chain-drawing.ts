import type { ChainEnds } from "./chain-ends.ts";
import type { HeldHead } from "./held-heads.ts";

/** Where a head is held: one ring, however many hosts hold it. */
export interface Ring {
  readonly x: number;
  readonly hosts: number;
  readonly label: string;
}

/** Places along the line, in hundredths of its width. */
export interface DrawnChain {
  readonly begin: number;
  readonly checked: number;
  readonly end: number;
  /** From the newest back. */
  readonly rings: readonly Ring[];
}

/** What was pruned is before it; beyond it is room for the ring at the end. */
const pruned = 8;
const end = 99;

/**
 * What is new matters and is near the end, so the line is drawn by the logarithm of how far back something is. Heads that would
 * stand closer than `gap` are one ring.
 */
export function drawChain(ends: ChainEnds, heads: readonly HeldHead[], gap: number): DrawnChain {
  const begin = ends.begins > 1 ? pruned : 0;
  const place = (position: number): number => {
    const length = Math.max(1, ends.head - ends.begins);
    const back = Math.min(length, Math.max(0, ends.head - position));
    return end - ((end - begin) * Math.log1p(back)) / Math.log1p(length);
  };
  const rings: Ring[] = [];
  for (const head of heads) {
    const x = place(head.position);
    const last = rings.at(-1);
    if (last === undefined || last.x - x >= gap) {
      rings.push({ x, hosts: head.hosts.length, label: labelOf(head) });
      continue;
    }
    const hosts = last.hosts + head.hosts.length;
    rings[rings.length - 1] = { x: last.x, hosts, label: countHosts(hosts) };
  }
  return { begin, checked: place(ends.checked), end, rings };
}

function labelOf({ hosts }: HeldHead): string {
  return hosts.length === 1 ? (hosts[0]?.name ?? "") : countHosts(hosts.length);
}

export function countHosts(hosts: number): string {
  return hosts === 1 ? "1 host" : `${hosts.toLocaleString("en-GB")} hosts`;
}
