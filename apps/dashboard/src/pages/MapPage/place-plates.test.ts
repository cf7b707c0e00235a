import { expect, test } from "vitest";
import { columnsOf, mostCells, overlap, placePlates, plateSize } from "./place-plates.ts";

const screen = { width: 900, height: 700 };
const at = (key: string, x: number, y: number, hosts: number) => ({ key, x, y, hosts });

test("a plate stands above its place, and the larger of two neighbours chooses first", () => {
  const plates = placePlates([at("small", 460, 420, 20), at("large", 440, 400, 40)], screen);
  const [large, small] = [plates.get("large"), plates.get("small")];
  if (large === undefined || small === undefined) throw new Error("both have room");
  expect(large.y + large.height).toBeLessThan(400);
  expect(small.y).toBeGreaterThan(420);
  expect(overlap(large, small)).toBe(false);
});

test("no plate covers another one or another place, and who finds no room has none", () => {
  const places = Array.from({ length: 60 }, (_none, nth) => at(`p${nth}`, 60 + (nth % 10) * 80, 60 + nth * 9, 30));
  const plates = placePlates(places, screen);
  expect(plates.size).toBeGreaterThan(3);
  expect(plates.size).toBeLessThan(60);
  const boxes = [...plates.values()];
  expect(boxes.flatMap((one, nth) => boxes.slice(nth + 1).filter((other) => overlap(one, other)))).toEqual([]);
});

test("a place at the edge of the screen turns its plate inwards, and one beyond it has none", () => {
  const plates = placePlates([at("corner", 2, 2, 9), at("beyond", -40, 300, 9)], screen);
  expect(plates.get("corner")).toMatchObject({ x: 28, y: 28 });
  expect(plates.has("beyond")).toBe(false);
});

test("up to sixty hosts have a cell each, more are a number", () => {
  expect([1, 4, 28, 40, mostCells].map(columnsOf)).toEqual([1, 3, 8, 9, 10]);
  expect(plateSize(mostCells).height).toBeGreaterThan(plateSize(mostCells + 1).height);
});
