import type { Point, Size } from "../../ui/world/mercator.ts";

/** Of one cell of the matrix, with the room between two. */
export const cellPixels = 18;
/** More hosts than these are a number. */
export const mostCells = 60;
const [sidePadding, headHeight, bottomPadding] = [9, 28, 8];
const leastWidth = 96;
const stem = 26;

export interface Box extends Point, Size {}

/** As wide as it is high, about, and never wider than ten cells. */
export function plateSize(hosts: number): Size {
  const columns = columnsOf(hosts);
  const rows = hosts > mostCells ? 1 : Math.ceil(hosts / columns);
  return {
    width: Math.max(leastWidth, columns * cellPixels - 4 + 2 * sidePadding),
    height: headHeight + rows * cellPixels - 4 + bottomPadding,
  };
}

export function columnsOf(hosts: number): number {
  return hosts > mostCells ? 8 : Math.max(1, Math.min(10, hosts, Math.ceil(Math.sqrt(hosts * 1.8))));
}

export interface Place extends Point {
  readonly key: string;
  readonly hosts: number;
}

/**
 * Where each place's plate stands: above its point, or below, or beside it, where it covers neither another plate nor another
 * place. The largest choose first; who finds no room has none, and stays a disc.
 */
export function placePlates(places: readonly Place[], screen: Size): ReadonlyMap<string, Box> {
  const plates = new Map<string, Box>();
  for (const place of places.toSorted((a, b) => b.hosts - a.hosts || (a.key < b.key ? -1 : 1))) {
    if (place.x < 0 || place.y < 0 || place.x > screen.width || place.y > screen.height) continue;
    const box = spotsFor(place).find(
      (spot) =>
        fits(spot, screen) &&
        [...plates.values()].every((other) => !overlap(spot, other)) &&
        places.every((other) => other === place || !holds(spot, other)),
    );
    if (box !== undefined) plates.set(place.key, box);
  }
  return plates;
}

function spotsFor({ x, y, hosts }: Place): readonly Box[] {
  const { width, height } = plateSize(hosts);
  const [middle, left] = [y - height / 2, x - width / 2];
  return [
    { x: left, y: y - stem - height },
    { x: left, y: y + stem },
    { x: x + stem, y: middle },
    { x: x - stem - width, y: middle },
    { x: x + stem, y: y - stem - height },
    { x: x - stem - width, y: y - stem - height },
    { x: x + stem, y: y + stem },
    { x: x - stem - width, y: y + stem },
  ].map((corner) => ({ ...corner, width, height }));
}

function fits({ x, y, width, height }: Box, screen: Size): boolean {
  return x >= 4 && y >= 4 && x + width <= screen.width - 4 && y + height <= screen.height - 4;
}

export function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width + 6 && b.x < a.x + a.width + 6 && a.y < b.y + b.height + 6 && b.y < a.y + a.height + 6;
}

function holds({ x, y, width, height }: Box, point: Point): boolean {
  return point.x > x - 8 && point.x < x + width + 8 && point.y > y - 8 && point.y < y + height + 8;
}
