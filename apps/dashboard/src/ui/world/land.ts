/** As `tools/basemap` writes it: rings of whole parts of a degree, each a first corner and the steps to the next ones. */
export interface PackedLand {
  readonly parts: number;
  readonly land: readonly (readonly (readonly number[])[])[];
}

export interface LandShape {
  readonly type: "MultiPolygon";
  readonly coordinates: [number, number][][][];
}

export function unpackLand({ parts, land }: PackedLand): LandShape {
  return { type: "MultiPolygon", coordinates: land.map((rings) => rings.map((steps) => cornersOf(steps, parts))) };
}

function cornersOf(steps: readonly number[], parts: number): [number, number][] {
  const corners: [number, number][] = [];
  let [x, y] = [0, 0];
  for (let at = 0; at + 1 < steps.length; at += 2) {
    x += steps[at] ?? 0;
    y += steps[at + 1] ?? 0;
    corners.push([x / parts, y / parts]);
  }
  return corners;
}
