import { expect, test } from "vitest";
import { fitView, frameOf, isInside, leastZoom, screenOf, spotOf, unitOf } from "./mercator.ts";

const size = { width: 800, height: 600 };
const frankfurt = { longitude: 8.68, latitude: 50.11 };
const sydney = { longitude: 151.2, latitude: -33.87 };

test("the middle of the view is the middle of the screen, and one zoom nearer is twice as far from it", () => {
  const view = { longitude: 0, latitude: 0, zoom: 1 };
  expect(screenOf(unitOf(view), view, size)).toEqual({ x: 400, y: 300 });
  const far = screenOf(unitOf(frankfurt), view, size);
  const near = screenOf(unitOf(frankfurt), { ...view, zoom: 2 }, size);
  expect(near.x - 400).toBeCloseTo(2 * (far.x - 400));
  expect(near.y).toBeLessThan(far.y);
});

test("a spot and its place in the world are the same thing, and poles stay in it", () => {
  const back = spotOf(unitOf(sydney));
  expect(back.longitude).toBeCloseTo(sydney.longitude, 9);
  expect(back.latitude).toBeCloseTo(sydney.latitude, 9);
  expect(unitOf({ longitude: 0, latitude: 90 }).y).toBeCloseTo(0, 6);
});

test("what a view shows is what lies in its frame", () => {
  const frame = frameOf({ ...frankfurt, zoom: 5 }, size);
  expect(isInside(unitOf(frankfurt), frame)).toBe(true);
  expect(isInside(unitOf(sydney), frame)).toBe(false);
});

test("the fitting view holds every spot, is never nearer than one needs, and without a spot is the world", () => {
  const units = [frankfurt, sydney].map(unitOf);
  const view = fitView(units, size);
  const frame = frameOf(view, size);
  expect(units.every((unit) => isInside(unit, frame))).toBe(true);
  expect(fitView([unitOf(frankfurt)], size).zoom).toBe(6);
  expect(fitView([], size).zoom).toBe(leastZoom(size));
});
