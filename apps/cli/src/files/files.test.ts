import { execFileSync } from "node:child_process";
import { chmod, link, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readInput } from "./read-input.ts";
import { readPrivateFile } from "./read-private-file.ts";
import { writeNew } from "./write-new.ts";

let directory = "";
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "gatehouse-files-"));
});
afterEach(() => rm(directory, { recursive: true }));

const bytes = Buffer.from("one\n");
const at = (name: string) => join(directory, name);

test("a new file has exactly the mode that was asked for, whatever the umask", async () => {
  const before = process.umask(0o077);
  try {
    await writeNew(at("a"), bytes, 0o644);
  } finally {
    process.umask(before);
  }
  expect((await stat(at("a"))).mode & 0o777).toBe(0o644);
});

test.each([
  ["a file", () => writeFile(at("a"), "old")],
  ["a directory", () => mkdir(at("a"))],
  ["a link to nothing", () => symlink(at("target"), at("a"))],
])("%s of that name is never written over or through", async (_, make) => {
  await make();
  await expect(writeNew(at("a"), bytes, 0o600)).rejects.toMatchObject({ code: "cli.exists" });
  await expect(stat(at("target"))).rejects.toThrow("ENOENT");
});

test("what cannot be written is told with the reason", async () => {
  await expect(writeNew(at("none/a"), bytes, 0o600)).rejects.toMatchObject({ code: "cli.file_not_written" });
});

test("a private file is read when only its owner can", async () => {
  await writeFile(at("key"), bytes, { mode: 0o600 });
  expect(await readPrivateFile(at("key"))).toEqual(bytes);
  await chmod(at("key"), 0o400);
  expect(await readPrivateFile(at("key"))).toEqual(bytes);
});

test.each([0o640, 0o604, 0o620, 0o602, 0o610])("a private file of mode %i is refused", async (mode) => {
  await writeFile(at("key"), bytes);
  await chmod(at("key"), mode);
  await expect(readPrivateFile(at("key"))).rejects.toMatchObject({
    code: "cli.key_file_unusable",
    detail: expect.stringContaining(`found 0${mode.toString(8)}`),
  });
});

test("a link, a pipe, a directory and nothing at all are no private file", async () => {
  await writeFile(at("key"), bytes, { mode: 0o600 });
  await symlink(at("key"), at("link"));
  await mkdir(at("directory"));
  execFileSync("mkfifo", ["-m", "600", at("pipe")]);
  for (const name of ["link", "directory", "pipe", "none"]) {
    await expect(readPrivateFile(at(name)), name).rejects.toMatchObject({ code: "cli.key_file_unusable" });
  }
});

test("an input is read whole up to its limit, also through a link", async () => {
  const rules = { what: "FILE", topic: "", most: 4 };
  await writeFile(at("a"), bytes);
  await symlink(at("a"), at("link"));
  await link(at("a"), at("second"));
  for (const name of ["a", "link", "second"]) expect(Buffer.from(await readInput(at(name), rules))).toEqual(bytes);
  expect(await readFile(at("a"))).toEqual(bytes);
});

test("an input that is too large, a directory, a pipe or absent is a mistake of the caller", async () => {
  const rules = { what: "FILE", topic: "", most: 3 };
  await writeFile(at("large"), bytes);
  execFileSync("mkfifo", [at("pipe")]);
  for (const [name, why] of [
    ["large", "4 bytes; at most 3"],
    ["pipe", "not a regular file"],
    [".", "not a regular file"],
    ["none", "ENOENT"],
  ] as const) {
    await expect(readInput(at(name), rules), name).rejects.toThrow(why);
  }
});
