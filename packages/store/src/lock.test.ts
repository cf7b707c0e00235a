import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { lockDirectory } from "./lock.ts";

const directory = mkdtempSync(join(tmpdir(), "gatehouse-lock-"));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("a directory is locked once, and free again after release", () => {
  const lock = lockDirectory(directory);
  expect(() => lockDirectory(directory)).toThrow("store.locked");
  expect(statSync(join(directory, "state.json.lock")).mode & 0o777).toBe(0o600);
  lock.release();
  lockDirectory(directory).release();
});
