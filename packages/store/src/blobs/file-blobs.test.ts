import { chmod, mkdtemp, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fault } from "@gatehouse/contract/faults";
import { nodeVfs, type Vfs } from "@gatehouse/files";
import { faultyVfs } from "@gatehouse/files/faulty";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { Random } from "../../../../tests/support/random.ts";
import { refusal } from "../store-cases.ts";
import { blobCases, digestOf } from "./blob-cases.ts";
import { openFileBlobs } from "./file-blobs.ts";

const scratch = await mkdtemp(join(tmpdir(), "gatehouse-blobs-"));
afterAll(() => rm(scratch, { recursive: true }));
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(scratch, "data-"));
});
const folder = () => join(directory, "blobs", "sha256");

describe("blobs in files", () => {
  blobCases(async (deps) => {
    const blobs = await openFileBlobs({ directory, ...deps });
    return {
      blobs,
      // Whatever a test did, nothing half written stays.
      done: async () => expect((await readdir(folder())).filter((name) => !/^[0-9a-f]{64}$/.test(name))).toEqual([]),
    };
  });
});

test("a blob is readable by nobody else, and there after a restart", async () => {
  const digest = await (await openFileBlobs({ directory })).put([Buffer.from("kept")]);
  expect((await stat(join(folder(), digest))).mode & 0o777).toBe(0o600);
  await (await (await openFileBlobs({ directory })).open(digest)).close();
});

test("folders that a careless copy opened to others are private again once they are opened", async () => {
  await openFileBlobs({ directory });
  for (const place of [join(directory, "blobs"), folder()]) await chmod(place, 0o755);
  await openFileBlobs({ directory });
  for (const place of [join(directory, "blobs"), folder()]) expect((await stat(place)).mode & 0o777).toBe(0o700);
});

test("bytes that are not what their name says are refused, and a blob that was cut off since it was checked", async () => {
  const blobs = await openFileBlobs({ directory });
  const digest = await blobs.put([Buffer.from("to be damaged")]);
  await writeFile(join(folder(), digest), "damaged");
  expect(await refusal(blobs.open(digest))).toBe("blob.unknown");
  await blobs.put([Buffer.from("to be damaged")]);
  await (await blobs.open(digest)).close();
  await truncate(join(folder(), digest), 5);
  expect(await refusal(blobs.open(digest))).toBe("blob.unknown");
});

test("bytes are read to be checked once in a process, however often and at once a blob is opened", async () => {
  let reads = 0;
  const vfs: Vfs = {
    ...nodeVfs,
    open: async (path, mode) => {
      const file = await nodeVfs.open(path, mode);
      return {
        size: () => file.size(),
        read: (position, length) => {
          reads += 1;
          return file.read(position, length);
        },
        write: (bytes, position) => file.write(bytes, position),
        truncate: (size) => file.truncate(size),
        sync: () => file.sync(),
        close: () => file.close(),
      };
    },
  };
  const blobs = await openFileBlobs({ directory, vfs });
  const digest = await blobs.put([Buffer.from("checked once")]);
  const opened = [...(await Promise.all([blobs.open(digest), blobs.open(digest)])), await blobs.open(digest)];
  // The bytes, and that there are no more.
  expect(reads).toBe(2);
  for (const blob of opened) await blob.close();
});

test("what an earlier process left half written goes at the next start", async () => {
  await openFileBlobs({ directory });
  await writeFile(join(folder(), "incoming-7"), "half");
  await openFileBlobs({ directory });
  expect(await readdir(folder())).toEqual([]);
});

test("a full disk refuses the bytes by name and keeps nothing of them", async () => {
  const vfs = faultyVfs({ directories: ["/data"], capacity: 1_000 });
  const blobs = await openFileBlobs({ directory: "/data", vfs });
  expect(await refusal(blobs.put([Buffer.alloc(500), Buffer.alloc(5_000)]))).toBe("store.disk_full");
  expect(await vfs.list("/data/blobs/sha256")).toEqual([]);
});

test("space is asked for before the first byte and with every piece, and what is refused leaves nothing", async () => {
  const asked: number[] = [];
  const requireSpace = (bytes: number) => {
    asked.push(bytes);
    if (bytes > 5) throw fault("store.disk_full", "low");
  };
  const blobs = await openFileBlobs({ directory, requireSpace });
  const digest = await blobs.put([Buffer.from("small")]);
  expect(await refusal(blobs.put([Buffer.from("too "), Buffer.from("much")]))).toBe("store.disk_full");
  expect(asked).toEqual([0, 5, 0, 4, 8]);
  expect(await readdir(folder())).toEqual([digest]);
});

test("after any power cut a blob is whole or not there, and there once it was told", async () => {
  const vfs = faultyVfs({ directories: ["/data"] });
  const blobs = await openFileBlobs({ directory: "/data", vfs });
  const begun = vfs.ops;
  const digest = await blobs.put([Buffer.from("across "), Buffer.from("a power cut")]);
  const told = vfs.ops;
  expect(digest).toBe(digestOf("across a power cut"));
  const random = new Random(1);
  for (let op = begun; op <= told; op += 1) {
    for (let draw = 0; draw < 50; draw += 1) {
      const disk = vfs.imageAt(op, random);
      const after = await openFileBlobs({ directory: "/data", vfs: disk });
      const names = await disk.list("/data/blobs/sha256");
      if (op === told) expect(names).toEqual([digest]);
      for (const name of names) await (await after.open(name)).close();
    }
  }
});
