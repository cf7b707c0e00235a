import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openBlobs } from "./blobs.ts";
import { refusal } from "./store-cases.ts";
import { nodeVfs } from "./vfs/node-vfs.ts";

const directory = await mkdtemp(join(tmpdir(), "gatehouse-blobs-"));
afterAll(() => rm(directory, { recursive: true }));
const blobs = await openBlobs(nodeVfs, directory);
const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");

test("a blob is kept under its digest, readable by nobody else, and read back", async () => {
  const digest = await blobs.put([Buffer.from("hello "), Buffer.from("blob")]);
  expect(digest).toBe(digestOf("hello blob"));
  const file = await blobs.open(digest);
  expect(Buffer.from(await file.read(0, 100)).toString()).toBe("hello blob");
  await file.close();
  expect((await stat(join(directory, "blobs/sha256", digest))).mode & 0o777).toBe(0o600);
});

test("the same bytes twice are one blob", async () => {
  await blobs.put([Buffer.from("twice")]);
  await blobs.put([Buffer.from("twice")]);
  expect((await readdir(join(directory, "blobs/sha256"))).filter((name) => name === digestOf("twice"))).toHaveLength(1);
});

test("a name that is no digest never becomes a path, and an unknown or damaged blob is refused", async () => {
  expect(await refusal(blobs.open("../../state.json"))).toBe("blob.unknown");
  expect(await refusal(blobs.open("0".repeat(64)))).toBe("blob.unknown");
  const digest = await blobs.put([Buffer.from("to be damaged")]);
  await writeFile(join(directory, "blobs/sha256", digest), "damaged");
  expect(await refusal(blobs.open(digest))).toBe("blob.unknown");
});

test("what no record names is collected", async () => {
  const kept = await blobs.put([Buffer.from("kept")]);
  const dropped = await blobs.put([Buffer.from("dropped")]);
  const collected = await blobs.collect((digest) => digest === kept);
  expect(collected).toContain(dropped);
  expect(await readdir(join(directory, "blobs/sha256"))).toEqual([kept]);
});
