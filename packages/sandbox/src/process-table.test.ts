import { closeSync, openSync } from "node:fs";
import { expect, test } from "vitest";
import { countDescriptors, countMaps, memoryOf } from "./process-table.ts";

test("maps are counted to their end, and not much further than asked", () => {
  const all = countMaps(process.pid, 1_000_000);
  expect(all).toBeGreaterThan(100);
  // One part of the list is read at a time.
  expect(countMaps(process.pid, 10)).toBeGreaterThan(10);
  expect(countMaps(process.pid, 10)).toBeLessThanOrEqual(all + 100);
});

test("descriptors are counted, those of a process that is gone are none", () => {
  const before = countDescriptors(process.pid);
  const opened = Array.from({ length: 20 }, () => openSync("/dev/null", "r"));
  expect(countDescriptors(process.pid)).toBeGreaterThanOrEqual(before + 15);
  for (const fd of opened) closeSync(fd);
  expect([countDescriptors(0), countMaps(0, 10), memoryOf(0)]).toEqual([0, 0, 0]);
});

test("memory is what a process holds, with the tables that find it", () => {
  const before = memoryOf(process.pid);
  const block = Buffer.alloc(64 * 1024 * 1024, 1);
  expect(memoryOf(process.pid) - before).toBeGreaterThan(block.length / 2);
});
