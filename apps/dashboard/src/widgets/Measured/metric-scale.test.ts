import { drawnMetrics } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { chosenMetrics, gigabytes, sayNumber, sayValue, scaleOf } from "./metric-scale.ts";

test("every metric that is drawn can be chosen", () => {
  expect(chosenMetrics.toSorted()).toEqual(drawnMetrics.toSorted());
});

test.each([
  ["cpu", 12.3, 100, "12 %"],
  ["load", 0, 0.5, "0.00"],
  ["load", 0.3, 0.5, "0.30"],
  ["load", 0.52, 0.8, "0.52"],
  ["load", 7.1, 8, "7.1"],
  ["load", 96, 100, "96"],
  ["netOut", 0, 1, "0.00 kbit/s"],
  ["netOut", 250, 2, "2.00 kbit/s"],
  ["netOut", 124_000, 1_000, "992 kbit/s"],
  ["netIn", 125_000, 1, "1.00 Mbit/s"],
  ["netIn", 33_000_000, 400, "264 Mbit/s"],
  ["netIn", 1_250_000_000, 10, "10.0 Gbit/s"],
] as const)("%s up to %d is drawn to %d and said as %s", (metric, largest, most, said) => {
  const scale = scaleOf(metric, largest);
  expect(scale.most).toBe(most);
  expect(sayValue(largest, scale)).toBe(said);
});

test("the scale holds the largest value, and is at most twice and a bit of it", () => {
  for (let value = 1; value < 1e12; value *= 1.171) {
    const { factor, most } = scaleOf("netOut", value);
    expect(most).toBeGreaterThanOrEqual(value * factor * 0.999);
    expect(most).toBeLessThanOrEqual(Math.max(1, value * factor * 2.01));
  }
});

test("a value that is missing is none, and never nought", () => {
  const scale = scaleOf("cpu", 1);
  expect([sayNumber(null, scale), sayNumber(undefined, scale), sayValue(null, scale)]).toEqual(["–", "–", "no value"]);
});

test.each([
  [512 * 1024 ** 2, "537 MB"],
  [6_100_000_000, "6.1 GB"],
  [16_341_000_000, "16 GB"],
  [80_000_000_000, "80 GB"],
  [2_000_398_934_016, "2 TB"],
])("%d bytes are said as %s", (bytes, words) => {
  expect(gigabytes(bytes)).toBe(words);
});
