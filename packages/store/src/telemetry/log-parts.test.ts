import { expect, test } from "vitest";
import { partBytesOf } from "./log-parts.ts";

const mib = 1024 ** 2;
test.each([
  [8, 1],
  [5 * 1024, 32],
  [50 * 1024, 100],
  [128 * 1024, 256],
  [10_000 * 1024, 256],
])("of %i MiB a part has %i", (most, part) => {
  expect(partBytesOf(most * mib, 32 * mib)).toBe(part * mib);
});
