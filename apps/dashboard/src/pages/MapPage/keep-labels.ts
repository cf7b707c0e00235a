import type { Point, Size } from "../../ui/world/mercator.ts";
import type { Cluster } from "./cluster-sites.ts";
import { type Box, overlap } from "./place-plates.ts";

export interface Labelled extends Point {
  readonly key: string;
  readonly radius: number;
  readonly label: string;
  /** How many kinds of exceptions stand beside it. */
  readonly exceptions: number;
}

/** A cluster where it stands on the screen. */
export interface DrawnDisc extends Labelled {
  readonly cluster: Cluster;
}

const letterPixels = 6.7;
const labelHeight = 15;
const exceptionPixels = 30;

/** The labels that lie on no disc and no other label; the larger discs come first. The others are said by the list. */
export function keepLabels(discs: readonly Labelled[], screen: Size): ReadonlySet<string> {
  const taken = discs.map((disc) => ({ key: disc.key, box: discBox(disc, screen) }));
  const kept = new Set<string>();
  for (const disc of discs.toSorted((a, b) => b.radius - a.radius)) {
    const box = labelBox(disc);
    if (disc.label === "" || taken.some(({ key, box: other }) => key !== disc.key && overlap(box, other))) continue;
    kept.add(disc.key);
    taken.push({ key: `${disc.key} label`, box });
  }
  return kept;
}

function discBox({ x, y, radius, exceptions, ...rest }: Labelled, screen: Size): Box {
  const beside = exceptions * exceptionPixels;
  const left = isTurned({ x, y, radius, exceptions, ...rest }, screen) ? x - radius - beside : x - radius;
  return { x: left, y: y - radius, width: 2 * radius + beside, height: 2 * radius };
}

function labelBox({ x, y, radius, label }: Labelled): Box {
  const width = label.length * letterPixels;
  return { x: x - width / 2, y: y + radius + 2, width, height: labelHeight };
}

/** At the right edge of the screen exceptions stand on the other side of their disc. */
export function isTurned({ x, radius, exceptions }: Labelled, { width }: Size): boolean {
  return exceptions > 0 && x + radius + exceptions * exceptionPixels > width - 8;
}
