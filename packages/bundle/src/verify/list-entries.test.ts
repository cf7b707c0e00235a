import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bundleLimits } from "./limits.ts";
import { listEntries } from "./list-entries.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "gatehouse-entries-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const fill = async (count: number) => {
  for (let index = 0; index < count; index += 1) {
    await writeFile(join(directory, `entry-${String(index).padStart(5, "0")}`), "");
  }
};

test("the names are sorted, whatever they are", async () => {
  await mkdir(join(directory, "b-plugin"));
  await mkdir(join(directory, "a-plugin"));
  await writeFile(join(directory, ".hidden"), "");
  expect(await listEntries(directory)).toEqual({
    names: [".hidden", "a-plugin", "b-plugin"],
    tooMany: [],
    more: false,
  });
});

test("a directory that does not exist holds none", async () => {
  expect(await listEntries(join(directory, "absent"))).toEqual({ names: [], tooMany: [], more: false });
});

test("one that is no directory cannot be read", async () => {
  await writeFile(join(directory, "file"), "");
  await expect(listEntries(join(directory, "file"))).rejects.toMatchObject({
    code: "bundle.unreadable",
    detail: "expected to read the plugin directory, found ENOTDIR",
  });
});

test("what is beyond the limit is named and not judged", async () => {
  await fill(bundleLimits.entries + 2);
  const { names, tooMany, more } = await listEntries(directory);
  expect([names.length, names.at(-1), more]).toEqual([2_000, "entry-01999", false]);
  expect(tooMany).toEqual(["entry-02000", "entry-02001"]);
});

test("a flooded directory is read up to a bound, and says that there is more", async () => {
  await fill(bundleLimits.entriesRead + 1);
  const { names, tooMany, more } = await listEntries(directory);
  expect([names.length, tooMany.length, more]).toEqual([2_000, 8_000, true]);
});
