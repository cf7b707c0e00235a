import { expect, test } from "vitest";
import { indexCases } from "./index-cases.ts";
import { buildLog, entryOf } from "./sample-logs.ts";
import { memoryIndex, newMemoryIndexDisk } from "./memory-index.ts";

indexCases("the audit index in memory", async () => {
  const disk = newMemoryIndexDisk();
  return { index: memoryIndex(disk), reopen: async () => memoryIndex(disk) };
});

test("without a disk every index begins empty", async () => {
  await memoryIndex().append(buildLog([[entryOf(1)]]).bytes);
  expect(await memoryIndex().indexed()).toBe(0);
});
