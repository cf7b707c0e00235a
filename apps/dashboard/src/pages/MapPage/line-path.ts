import type { Point } from "../../ui/world/mercator.ts";

export interface LinePath {
  /** Of an SVG path. */
  readonly d: string;
  /** Where words about it stand. */
  readonly middle: Point;
}

/** How far an arc leaves its chord, as a part of its length. */
const bend = 0.16;
const gap = 3;

/** From the rim of one disc to that of another, as an arc towards the pole where it is far, straight where it is close. */
export function linePath(from: Point & { readonly radius: number }, to: typeof from, isArc: boolean): LinePath {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.max(1, Math.hypot(dx, dy));
  // Across the chord, upwards on the screen whichever end is first.
  const side = (dx < 0 ? -1 : 1) * (isArc ? bend : 0);
  const knee = { x: (from.x + to.x) / 2 + dy * side, y: (from.y + to.y) / 2 - dx * side };
  const start = towards(from, knee, Math.min(from.radius + gap, length / 3));
  const end = towards(to, knee, Math.min(to.radius + gap, length / 3));
  return {
    d: `M${word(start)}Q${word(knee)} ${word(end)}`,
    middle: { x: (start.x + 2 * knee.x + end.x) / 4, y: (start.y + 2 * knee.y + end.y) / 4 },
  };
}

function towards(from: Point, to: Point, far: number): Point {
  const length = Math.max(1, Math.hypot(to.x - from.x, to.y - from.y));
  return { x: from.x + ((to.x - from.x) * far) / length, y: from.y + ((to.y - from.y) * far) / length };
}

function word({ x, y }: Point): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}
