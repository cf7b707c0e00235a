import { readFileSync } from "node:fs";
import { join } from "node:path";
import { geoEquirectangular } from "d3-geo";
import { geoProject } from "d3-geo-projection";
import { feature } from "topojson-client";
import { root } from "../repository.ts";

/** How fine the coast is: whole parts of a degree, so a hundred is a kilometre. */
export const basemaps = [
  { file: "land-110m.json", parts: 100 },
  { file: "land-50m.json", parts: 50 },
] as const;

type Ring = readonly (readonly [number, number])[];
type Geometry =
  | { readonly type: "Polygon"; readonly coordinates: readonly Ring[] }
  | { readonly type: "MultiPolygon"; readonly coordinates: readonly (readonly Ring[])[] };
interface Collection {
  readonly features: readonly { readonly geometry: Geometry }[];
}

/**
 * The world's land as a flat map can draw it: the atlas is of a sphere, where Russia and Fiji go on beyond the 180th meridian, and
 * a flat map would paint them across itself. Each ring is its first corner, and then the way to each next one.
 */
export function cutLand({ file, parts }: (typeof basemaps)[number]): string {
  const path = join(root, "node_modules/world-atlas", file);
  const atlas = JSON.parse(readFileSync(path, "utf8")) as { readonly objects: { readonly land: unknown } };
  // One degree is one unit, and nothing is made finer on the way.
  const degrees = geoEquirectangular()
    .scale(180 / Math.PI)
    .translate([0, 0])
    .precision(0);
  const { features } = geoProject(feature(atlas, atlas.objects.land), degrees) as Collection;
  const land = features
    .flatMap(({ geometry }) => (geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates))
    .map((rings) => rings.map((ring) => stepsOf(ring, parts)).filter((steps) => steps.length >= leastSteps))
    .filter(({ length }) => length > 0);
  return `${JSON.stringify({ parts, land })}\n`;
}

/** A triangle that is closed; an island that is smaller than a part is none. */
const leastSteps = 8;

function stepsOf(ring: Ring, parts: number): number[] {
  const steps: number[] = [];
  let [x, y] = [0, 0];
  for (const [east, south] of ring) {
    const next = [Math.round(east * parts), Math.round(-south * parts)] as const;
    if (steps.length > 0 && next[0] === x && next[1] === y) continue;
    steps.push(next[0] - x, next[1] - y);
    [x, y] = next;
  }
  return steps;
}
