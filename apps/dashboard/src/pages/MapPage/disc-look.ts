import type { StandingCounts } from "../../widgets/Fleet/standing.ts";
import { type Standing, standings } from "../../widgets/Fleet/standing.ts";
import type { Cluster } from "./cluster-sites.ts";

const leastArea = 80;
const mostArea = 780;
/** Of a digit in the disc, and beside it. */
const digitPixels = 3.7;

/** The area grows with the share of the fleet; a disc is never too small for its number. */
export function discRadius(size: number, all: number): number {
  const area = leastArea + (mostArea - leastArea) * Math.min(1, size / Math.max(1, all));
  return Math.max(Math.sqrt(area), 4 + digitPixels * size.toLocaleString("en-GB").length);
}

/** What is not as it should be; the rest is the disc itself. */
const exceptions = ["rival", "offline", "alerted", "drifted", "unheard"] as const satisfies readonly Standing[];

export function exceptionsOf(
  counts: StandingCounts,
): readonly { readonly standing: Standing; readonly count: number }[] {
  return standings
    .filter((standing) => exceptions.some((one) => one === standing))
    .map((standing) => ({ standing, count: counts[standing] }))
    .filter(({ count }) => count > 0);
}

const mostLetters = 26;

/** The names of its places, the largest first; where they do not fit, how many they are. */
export function labelOf({ sites }: Pick<Cluster, "sites">): string {
  const labels = [...new Set(sites.flatMap(({ label }) => (label === null ? [] : [label])))];
  const [first] = labels;
  if (first === undefined) return sites.length > 1 ? `${sites.length} places` : "";
  const isAll = sites.every(({ label }) => label !== null);
  if (labels.length === 1 && isAll) return cut(first);
  const all = labels.join(" · ");
  return isAll && all.length <= mostLetters ? all : `${sites.length} places`;
}

function cut(label: string): string {
  return label.length <= mostLetters ? label : `${label.slice(0, mostLetters - 1).trimEnd()}…`;
}
