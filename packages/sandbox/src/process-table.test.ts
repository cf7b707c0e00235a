import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
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

const blockBytes = 64 * 1024 * 1024;
/** In a process that does nothing else: this one may give back as much at any moment. */
const holder = `
  process.stdin.once("data", () => {
    globalThis.block = Buffer.alloc(${blockBytes}, 1);
    console.log("held");
  });
  console.log("ready");
`;

test("memory is what a process holds, with the tables that find it", async () => {
  const child = spawn(process.execPath, ["-e", holder], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const pid = child.pid ?? 0;
  await once(child.stdout, "data");
  const before = memoryOf(pid);
  child.stdin.write("go\n");
  await once(child.stdout, "data");
  expect(memoryOf(pid) - before).toBeGreaterThan(blockBytes / 2);
});
