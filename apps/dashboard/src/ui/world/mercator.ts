/** Which part of the world is shown: its middle, and how near. At zoom 0 the world is 512 pixels wide, and twice as wide at each next. */
export interface View {
  readonly longitude: number;
  readonly latitude: number;
  readonly zoom: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Spot {
  readonly longitude: number;
  readonly latitude: number;
}

const tile = 512;
/** Where the square world of this projection ends. */
const mostLatitude = 85.051129;
export const mostZoom = 11;

/** Where in the world, whose sides are 1. */
export function unitOf({ longitude, latitude }: Spot): Point {
  const bounded = Math.max(-mostLatitude, Math.min(mostLatitude, latitude));
  const north = Math.log(Math.tan(Math.PI / 4 + (bounded * Math.PI) / 360));
  return { x: (longitude + 180) / 360, y: (1 - north / Math.PI) / 2 };
}

export function spotOf({ x, y }: Point): Spot {
  return {
    longitude: x * 360 - 180,
    latitude: (Math.atan(Math.exp((1 - 2 * y) * Math.PI)) * 360) / Math.PI - 90,
  };
}

export function worldWidth(zoom: number): number {
  return tile * 2 ** zoom;
}

/** Where on a screen of that size, from its upper left. */
export function screenOf(unit: Point, view: View, { width, height }: Size): Point {
  const middle = unitOf(view);
  const scale = worldWidth(view.zoom);
  return { x: (unit.x - middle.x) * scale + width / 2, y: (unit.y - middle.y) * scale + height / 2 };
}

export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** What of the world, whose sides are 1, is on a screen of that size. */
export function frameOf(view: View, { width, height }: Size): Frame {
  const middle = unitOf(view);
  const scale = worldWidth(view.zoom);
  const [across, down] = [width / 2 / scale, height / 2 / scale];
  return { left: middle.x - across, top: middle.y - down, right: middle.x + across, bottom: middle.y + down };
}

export function isInside({ x, y }: Point, { left, top, right, bottom }: Frame): boolean {
  return x >= left && x <= right && y >= top && y <= bottom;
}

/** Not nearer than that, where a single spot is all there is. */
const fitZoom = 6;

/** The nearest view that holds all of them with a margin; the whole world where there is none. */
export function fitView(units: readonly Point[], size: Size, margin = 56): View {
  const least = leastZoom(size);
  if (units.length === 0) return { longitude: 0, latitude: 25, zoom: least };
  const [xs, ys] = [units.map(({ x }) => x), units.map(({ y }) => y)];
  const [left, right, top, bottom] = [smallest(xs), largest(xs), smallest(ys), largest(ys)];
  const room = (pixels: number): number => Math.max(40, pixels - 2 * margin);
  const zoom = Math.min(
    Math.log2(room(size.width) / Math.max(1e-9, (right - left) * tile)),
    Math.log2(room(size.height) / Math.max(1e-9, (bottom - top) * tile)),
  );
  const middle = spotOf({ x: (left + right) / 2, y: (top + bottom) / 2 });
  return { ...middle, zoom: Math.max(least, Math.min(fitZoom, zoom)) };
}

/** The world fills the screen, so that it is never there twice and never an island in nothing. */
export function leastZoom({ width, height }: Size): number {
  return Math.log2(Math.max(width, height, 1) / tile);
}

// Ten thousand numbers are too many arguments.
const smallest = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), 1);
const largest = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0);
