import type { Node } from "@gatehouse/contract/routes";
import { type Point, worldWidth } from "../../ui/world/mercator.ts";
import { countStandings, type StandingCounts } from "../../widgets/Fleet/standing.ts";
import type { Site } from "./join-places.ts";

/** Sites that are drawn as one, since they would lie on each other. */
export interface Cluster {
  /** That of its largest site, so that a disc stays the same disc while states change. */
  readonly key: string;
  readonly unit: Point;
  readonly sites: readonly Site[];
  readonly size: number;
  readonly counts: StandingCounts;
}

/** From here on a place is shown with its hosts. */
export const closeZoom = 4;
const farPixels = 56;
const closePixels = 16;

/** Clusters change at half levels alone: between two of them whoever zooms sees the same discs move. */
export function zoomStep(zoom: number): number {
  return Math.round(zoom * 2) / 2;
}

/**
 * Around the largest site whatever is near it, then around the largest that is left. The same sites give the same clusters wherever
 * somebody looks, so moving parts and joins nothing.
 */
export function clusterSites(sites: readonly Site[], zoom: number): readonly Cluster[] {
  const reach = (zoom >= closeZoom ? closePixels : farPixels) / worldWidth(zoom);
  const near = gridOf(sites, reach);
  const taken = new Set<Site>();
  const clusters: Cluster[] = [];
  for (const site of sites) {
    if (taken.has(site)) continue;
    const members = near(site).filter((other) => !taken.has(other) && distance(site.unit, other.unit) <= reach);
    for (const one of members) taken.add(one);
    clusters.push(clusterOf(site, members));
  }
  return clusters;
}

function clusterOf({ key }: Site, sites: readonly Site[]): Cluster {
  const nodes: Node[] = sites.flatMap((site) => site.nodes);
  const sum = (axis: keyof Point): number =>
    sites.reduce((total, { unit, nodes: here }) => total + unit[axis] * here.length, 0) / Math.max(1, nodes.length);
  return { key, unit: { x: sum("x"), y: sum("y") }, sites, size: nodes.length, counts: countStandings(nodes) };
}

/** Those in the same square of a grid and in the eight around it, in their own order. */
function gridOf(sites: readonly Site[], side: number): (site: Site) => readonly Site[] {
  const squares = new Map<string, Site[]>();
  const squareOf = ({ x, y }: Point): readonly [number, number] => [Math.floor(x / side), Math.floor(y / side)];
  for (const site of sites) {
    const key = squareOf(site.unit).join();
    const square = squares.get(key);
    if (square === undefined) squares.set(key, [site]);
    else square.push(site);
  }
  return ({ unit }) => {
    const [column, row] = squareOf(unit);
    const around = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((down) => `${column + right},${row + down}`));
    return around.flatMap((key) => squares.get(key) ?? []);
  };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
