import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readSettingFile } from "./index.ts";

function folder(): string {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-setting-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

test("a file is read whole, up to its bound and not beyond", async () => {
  const path = join(folder(), "file");
  writeFileSync(path, "0123456789");
  expect(Buffer.from(await readSettingFile(path, 10)).toString()).toBe("0123456789");
  await expect(readSettingFile(path, 9)).rejects.toThrow("it has 10 bytes, at most 9 are read");
  writeFileSync(path, "");
  expect(await readSettingFile(path, 10)).toHaveLength(0);
});

test("what is missing or no file is refused in a few words, and a pipe is not waited for", async () => {
  const directory = folder();
  await expect(readSettingFile(join(directory, "none"), 10)).rejects.toThrow("there is no such file");
  await expect(readSettingFile(directory, 10)).rejects.toThrow("it is not a regular file");
  await expect(readSettingFile(join(directory, "a\0b"), 10)).rejects.toThrow(/it cannot be/);
  const pipe = join(directory, "pipe");
  execFileSync("mkfifo", [pipe]);
  await expect(readSettingFile(pipe, 10)).rejects.toThrow("it is not a regular file");
});

test("a file that seems empty and is not ends at the bound", async () => {
  await expect(readSettingFile("/dev/zero", 10)).rejects.toThrow("it is not a regular file");
  await expect(readSettingFile("/proc/self/maps", 10)).rejects.toThrow("it has more than 10 bytes");
});
