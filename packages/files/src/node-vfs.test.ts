import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { nodeVfs } from "./node-vfs.ts";

test("a directory goes when it is empty, and one that is absent is no failure", async () => {
  const root = mkdtempSync(join(tmpdir(), "gatehouse-vfs-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [outer, inner] = [join(root, "a"), join(root, "a", "b")];
  await nodeVfs.makeDirectory(inner);
  await expect(nodeVfs.removeDirectory(outer)).rejects.toThrow("ENOTEMPTY");
  await nodeVfs.removeDirectory(inner);
  await nodeVfs.removeDirectory(inner);
  expect(await nodeVfs.list(outer)).toEqual([]);
});
