import { expect, test } from "vitest";
import { Random } from "../../../tests/support/random.ts";
import { type FaultyVfs, faultyVfs } from "./faulty.ts";
import { isAbsent, isFull } from "./vfs.ts";

const text = (bytes: string) => Buffer.from(bytes);
const draws = 400;

async function contentOf(vfs: FaultyVfs, name: string): Promise<string | undefined> {
  return vfs.open(name, "read").then(
    async (file) => Buffer.from(await file.read(0, await file.size())).toString("latin1"),
    (error: unknown) => (isAbsent(error) ? undefined : Promise.reject(error)),
  );
}

/** Everything that a file may hold when power fails now. */
async function possible(vfs: FaultyVfs, name: string, op = vfs.ops): Promise<Set<string | undefined>> {
  const random = new Random(1);
  const found = new Set<string | undefined>();
  for (let draw = 0; draw < draws; draw += 1) found.add(await contentOf(vfs.imageAt(op, random), name));
  return found;
}

async function durableFile(vfs: FaultyVfs, name: string, content: string) {
  const file = await vfs.open(name, "create");
  await file.write(text(content), 0);
  await file.sync();
  await vfs.syncDirectory("/");
  return file;
}

test("the live plane reads back what was written, before any sync", async () => {
  const vfs = faultyVfs();
  const file = await vfs.open("/a", "create");
  await file.write(text("hello world"), 0);
  await file.write(text("HELLO"), 0);
  await file.truncate(8);
  await file.write(text("!"), 10);
  expect(await contentOf(vfs, "/a")).toBe("HELLO wo\0\0!");
  expect(await vfs.list("/")).toEqual(["a"]);
});

test("synced bytes under a synced name survive every power loss", async () => {
  const vfs = faultyVfs();
  await durableFile(vfs, "/a", "kept");
  expect(await possible(vfs, "/a")).toEqual(new Set(["kept"]));
});

test("a file that was synced under a name that was not may be gone, whole or nothing", async () => {
  const vfs = faultyVfs();
  const file = await vfs.open("/a", "create");
  await file.write(text("kept"), 0);
  await file.sync();
  expect(await possible(vfs, "/a")).toEqual(new Set([undefined, "kept"]));
});

test("an unsynced write is kept, dropped, torn or leaves zeros and garbage behind", async () => {
  const vfs = faultyVfs();
  const file = await durableFile(vfs, "/a", "base");
  await file.write(text("12"), 4);
  const found = await possible(vfs, "/a");
  for (const outcome of ["base", "base1", "base12", "base\0\0"]) expect(found).toContain(outcome);
  expect([...found].some((content) => content?.length === 6 && !/^base[12\0]/.test(content))).toBe(true);
  for (const content of found) expect(content?.startsWith("base")).toBe(true);
});

test("a later write may be there while an earlier one is not", async () => {
  const vfs = faultyVfs();
  const file = await durableFile(vfs, "/a", "");
  await file.write(text("1"), 0);
  await file.write(text("2"), 1);
  const found = await possible(vfs, "/a");
  for (const outcome of ["", "1", "12", "\x002"]) expect(found).toContain(outcome);
});

test("a torn write of several sectors may keep any of them", async () => {
  const vfs = faultyVfs();
  const file = await durableFile(vfs, "/a", "");
  await file.write(text("a".repeat(512) + "b".repeat(512) + "c".repeat(10)), 0);
  const shapes = new Set([...(await possible(vfs, "/a"))].map((content) => content?.replaceAll(/(.)\1*/gs, "$1")));
  for (const shape of ["abc", "ab", "a", "", "\0b", "\0bc", "a\0c", "\0c"]) expect(shapes).toContain(shape);
});

test("an unsynced truncation may come back", async () => {
  const vfs = faultyVfs();
  const file = await durableFile(vfs, "/a", "abcdef");
  await file.truncate(2);
  expect(await possible(vfs, "/a")).toEqual(new Set(["ab", "abcdef"]));
  await file.sync();
  expect(await possible(vfs, "/a")).toEqual(new Set(["ab"]));
});

test("a rename is seen before or after, never in between", async () => {
  const vfs = faultyVfs();
  await durableFile(vfs, "/a", "old");
  await durableFile(vfs, "/a.new", "new");
  await vfs.rename("/a.new", "/a");
  expect(await possible(vfs, "/a")).toEqual(new Set(["old", "new"]));
  await vfs.syncDirectory("/");
  expect(await possible(vfs, "/a")).toEqual(new Set(["new"]));
  expect(await possible(vfs, "/a.new")).toEqual(new Set([undefined]));
});

test("a rename of a file that was not synced may leave an empty file", async () => {
  const vfs = faultyVfs();
  await durableFile(vfs, "/a", "old");
  const file = await vfs.open("/a.new", "create");
  await file.write(text("new"), 0);
  await vfs.rename("/a.new", "/a");
  await vfs.syncDirectory("/");
  const found = await possible(vfs, "/a");
  expect(found).toContain("");
  expect(found).not.toContain("old");
});

test("names survive in the order of their changes", async () => {
  const vfs = faultyVfs();
  await vfs.open("/a", "create");
  await vfs.open("/b", "create");
  await vfs.remove("/a");
  const random = new Random(1);
  const found = new Set<string>();
  for (let draw = 0; draw < draws; draw += 1) found.add((await vfs.crash(random).list("/")).join());
  expect(found).toEqual(new Set(["", "a", "a,b", "b"]));
});

test("a directory that was not synced into its parent takes its files with it", async () => {
  const vfs = faultyVfs();
  await vfs.makeDirectory("/data");
  const file = await vfs.open("/data/a", "create");
  await file.sync();
  await vfs.syncDirectory("/data");
  expect(await possible(vfs, "/data/a")).toEqual(new Set([undefined, ""]));
  await vfs.syncDirectory("/");
  expect(await possible(vfs, "/data/a")).toEqual(new Set([""]));
});

test("a disk of an earlier moment knows nothing of what came later", async () => {
  const vfs = faultyVfs();
  const file = await durableFile(vfs, "/a", "one");
  const then = vfs.ops;
  await file.write(text("two"), 0);
  await file.sync();
  expect(await possible(vfs, "/a", then)).toEqual(new Set(["one"]));
  expect(await possible(vfs, "/a")).toEqual(new Set(["two"]));
  const image = vfs.imageAt(then, new Random(1));
  await (await image.open("/a", "write")).write(text("x"), 0);
  expect(await possible(vfs, "/a", then)).toEqual(new Set(["one"]));
});

test("what is appended on one drawn disk is seen on no other", async () => {
  const vfs = faultyVfs();
  const file = await durableFile(vfs, "/a", "one");
  const then = vfs.ops;
  await file.write(text("two"), 3);
  await file.sync();
  const image = vfs.imageAt(then, new Random(1));
  await (await image.open("/a", "write")).write(text("XYZ"), 3);
  expect(await contentOf(vfs, "/a")).toBe("onetwo");
  expect(await possible(vfs, "/a")).toEqual(new Set(["onetwo"]));
});

test("the same seed draws the same disks", async () => {
  const vfs = faultyVfs();
  const file = await durableFile(vfs, "/a", "");
  for (let write = 0; write < 20; write += 1) await file.write(text(`${write}`), write * 3);
  const drawn = async (seed: number) => {
    const random = new Random(seed);
    return Promise.all(Array.from({ length: 20 }, () => contentOf(vfs.crash(random), "/a")));
  };
  expect(await drawn(5)).toEqual(await drawn(5));
  expect(await drawn(5)).not.toEqual(await drawn(6));
});

test("a sync covers only what was written before it began", async () => {
  let whileSyncing = async () => {};
  const vfs = faultyVfs({ syncPause: () => whileSyncing() });
  const file = await durableFile(vfs, "/a", "");
  whileSyncing = () => file.write(text("2"), 1);
  await file.write(text("1"), 0);
  await file.sync();
  const found = await possible(vfs, "/a");
  expect(found).toContain("1");
  expect(found).toContain("12");
  for (const content of found) expect(content?.startsWith("1")).toBe(true);
});

test("after a failed sync a later success does not bring the bytes back", async () => {
  const vfs = faultyVfs();
  const file = await durableFile(vfs, "/a", "");
  await file.write(text("1"), 0);
  vfs.failNext("sync", 1, "EIO");
  await expect(file.sync()).rejects.toThrow("EIO");
  await file.write(text("2"), 1);
  await file.sync();
  const found = await possible(vfs, "/a");
  expect(found).toContain("\x002");
  expect(found).toContain("12");
});

test("the nth operation of a kind fails once, or from then on", async () => {
  const vfs = faultyVfs();
  const file = await vfs.open("/a", "create");
  vfs.failNext("write", 2, "EIO");
  await file.write(text("1"), 0);
  await expect(file.write(text("2"), 1)).rejects.toThrow("EIO");
  await file.write(text("3"), 1);
  vfs.failNext("write", 1, "short", "forever");
  await expect(file.write(text("4567"), 2)).rejects.toThrow("EIO");
  await expect(file.write(text("x"), 2)).rejects.toThrow("EIO");
  expect(await contentOf(vfs, "/a")).toBe("1345");
  vfs.clearFaults();
  await file.write(text("x"), 2);
  vfs.failNext("truncate", 1, "EIO");
  await expect(file.truncate(0)).rejects.toThrow("EIO");
  vfs.failNext("rename", 1, "ENOSPC");
  await expect(vfs.rename("/a", "/b")).rejects.toThrow("ENOSPC");
  expect(await vfs.list("/")).toEqual(["a"]);
});

test("a full disk takes what fits, then refuses; removing makes room", async () => {
  const vfs = faultyVfs({ capacity: 10 });
  await durableFile(vfs, "/a", "123456");
  const file = await vfs.open("/b", "create");
  const full = await file.write(text("abcdef"), 0).catch((error: unknown) => error);
  expect(isFull(full)).toBe(true);
  expect(await contentOf(vfs, "/b")).toBe("abcd");
  await file.write(text("ABCD"), 0);
  expect(await vfs.space("/")).toEqual({ free: 0, total: 10 });
  await vfs.remove("/a");
  await file.write(text("ef"), 4);
  expect(await contentOf(vfs, "/b")).toBe("ABCDef");
});

test("opening keeps the rules of the disk", async () => {
  const vfs = faultyVfs({ files: new Map([["/data/a", text("given")]]) });
  expect(await contentOf(vfs, "/data/a")).toBe("given");
  await expect(vfs.open("/data/a", "create")).rejects.toThrow("EEXIST");
  await expect(vfs.open("/data/b", "write")).rejects.toThrow("ENOENT");
  await expect(vfs.open("/nowhere/b", "create")).rejects.toThrow("ENOENT");
  const reading = await vfs.open("/data/a", "read");
  await expect(reading.write(text("x"), 0)).rejects.toThrow("EBADF");
  await reading.close();
  await expect(reading.size()).rejects.toThrow("EBADF");
});

test("a disk is drawn by deciding about what was not yet durable, however long the history before it", async () => {
  const vfs = faultyVfs();
  const file = await durableFile(vfs, "/a", "");
  for (let write = 0; write < 300; write += 1) {
    await file.write(text("x".repeat(200)), write * 200);
    if (write % 3 === 0) await file.sync();
  }
  const random = new CountingRandom(3);
  let most = 0;
  for (let op = 0; op <= vfs.ops; op += 1) {
    random.decided = 0;
    vfs.imageAt(op, random);
    most = Math.max(most, random.decided);
  }
  // Three of the 300 writes wait for a sync at most, and a few things are decided about each of them.
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(20);
});

class CountingRandom extends Random {
  decided = 0;

  override below(limit: number): number {
    this.decided += 1;
    return super.below(limit);
  }

  /** Bytes that were never written are drawn too; they are no decisions. */
  override fill(bytes: Uint8Array): void {
    const { decided } = this;
    super.fill(bytes);
    this.decided = decided;
  }
}

test("a directory goes when it is empty, and a cut may bring it back until its parent is synced", async () => {
  const vfs = faultyVfs({ directories: ["/a", "/a/b"] });
  await expect(vfs.removeDirectory("/a")).rejects.toThrow("ENOTEMPTY");
  await vfs.removeDirectory("/a/b");
  await vfs.removeDirectory("/a/b");
  expect(await vfs.list("/a")).toEqual([]);
  const random = new Random(1);
  const left = async () =>
    new Set(await Promise.all(Array.from({ length: 20 }, async () => (await vfs.crash(random).list("/a")).length)));
  expect(await left()).toEqual(new Set([0, 1]));
  await vfs.syncDirectory("/a");
  expect(await left()).toEqual(new Set([0]));
});
