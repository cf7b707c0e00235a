import { faultyVfs } from "@gatehouse/files/faulty";
import { expect, test } from "vitest";
import { agentPaths } from "../config.ts";
import { hasUnrestored } from "./unrestored.ts";

const paths = agentPaths("/host");

test("what was kept for a change and is still there says that the change was not taken back", async () => {
  const vfs = faultyVfs({ directories: [paths.helperState] });
  expect(await hasUnrestored({ vfs, paths })).toBe(false);
  await vfs.makeDirectory(paths.snapshots);
  expect(await hasUnrestored({ vfs, paths })).toBe(false);
  await (await vfs.open(`${paths.snapshots}/x`, "create")).close();
  expect(await hasUnrestored({ vfs, paths })).toBe(true);
  const unreadable = { ...vfs, list: () => Promise.reject(new Error("EIO")) };
  await expect(hasUnrestored({ vfs: unreadable, paths })).rejects.toThrow("EIO");
});
