import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { forgetBefore, keepBefore, openFilePlace, readContent, replaceFile, returnBefore } from "./file-place.ts";

async function setUp() {
  const { root, owner } = makeHostDirectory();
  const at = join(root, "etc/app.conf");
  writeFileSync(at, "old\n", { mode: 0o640 });
  const place = await openFilePlace({ root, owner }, "/etc/app.conf");
  onTestFinished(() => place[Symbol.asyncDispose]());
  const { uid, gid } = statSync(at);
  const content = { bytes: new TextEncoder().encode("new\n"), mode: 0o604, uid, gid };
  const beside = (what: string) => join(root, `etc/.app.conf.gatehouse-${what}~`);
  return { root, at, place, content, next: beside("next"), before: beside("before") };
}

type Synced = FileHandle["sync"];

/** Stands for every sync of this process until the test has ended; gives back the real one. */
async function onSync(stand: (real: () => Promise<void>, handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await open("/", "r");
  const shared = Object.getPrototypeOf(handle) as { sync: Synced };
  await handle.close();
  const { sync } = shared;
  const spy = vi.spyOn(shared, "sync").mockImplementation(function (this: FileHandle) {
    return stand(() => sync.call(this), this);
  });
  onTestFinished(() => spy.mockRestore());
}

/** What could be seen whenever something was made durable: what was synced, and what each name held then. */
async function watchSyncs({ at, next, before }: Awaited<ReturnType<typeof setUp>>) {
  const seen: Record<"synced" | "file" | "next" | "before", string>[] = [];
  const held = (name: string) => (existsSync(name) ? readFileSync(name, "utf8").trim() : "nothing");
  await onSync(async (real, handle) => {
    const found = await handle.stat();
    const synced = found.isDirectory() ? "directory" : `file ${(found.mode & 0o777).toString(8)}`;
    seen.push({ synced, file: held(at), next: held(next), before: held(before) });
    await real();
  });
  return seen;
}

test("a new file is durable with its rights before it has the name, and the name is made durable after", async () => {
  const ground = await setUp();
  const seen = await watchSyncs(ground);
  await keepBefore(ground.place);
  await replaceFile(ground.place, ground.content);
  expect(seen).toEqual([
    { synced: "file 604", file: "old", next: "new", before: "old" },
    { synced: "directory", file: "new", next: "nothing", before: "old" },
  ]);
});

test("what was there is durable under its name when the change counts as taken back", async () => {
  const ground = await setUp();
  await keepBefore(ground.place);
  await replaceFile(ground.place, ground.content);
  const seen = await watchSyncs(ground);
  await returnBefore(ground.place);
  expect(seen).toEqual([{ synced: "directory", file: "old", next: "nothing", before: "nothing" }]);
});

test("that nothing is left beside the file is durable when the change counts as ended", async () => {
  const ground = await setUp();
  await keepBefore(ground.place);
  await replaceFile(ground.place, ground.content);
  const seen = await watchSyncs(ground);
  await forgetBefore(ground.place);
  expect(seen).toEqual([{ synced: "directory", file: "new", next: "nothing", before: "nothing" }]);
});

test("a disk that does not keep the new file leaves the old one, and nothing beside it", async () => {
  const { at, place, content, next } = await setUp();
  const was = lstatSync(at).ino;
  await onSync(() => Promise.reject(Object.assign(new Error("fsync"), { code: "EIO" })));
  await expect(replaceFile(place, content)).rejects.toThrow("fsync");
  expect([readFileSync(at, "utf8"), lstatSync(at).ino, existsSync(next)]).toEqual(["old\n", was, false]);
});

test("a name that cannot be made durable is told", async () => {
  const { place, content } = await setUp();
  let syncs = 0;
  await onSync((real) => {
    syncs += 1;
    return syncs === 2 ? Promise.reject(new Error("the directory")) : real();
  });
  await expect(replaceFile(place, content)).rejects.toThrow("the directory");
});

test("a file that gets no second name for a reason nobody knows of is not replaced without it", async () => {
  const { at, place } = await setUp();
  await expect(keepBefore({ ...place, before: join(at, "below") })).rejects.toThrow("ENOTDIR");
});

test("a file that is not there needs no second name", async () => {
  const { at, place, before } = await setUp();
  rmSync(at);
  await keepBefore(place);
  expect(existsSync(before)).toBe(false);
});

test("what stands where the new file is to be written, and cannot be taken away, is told", async () => {
  const { at, place, content, next } = await setUp();
  mkdirSync(next);
  await expect(replaceFile(place, content)).rejects.toThrow(/^E(ISDIR|PERM)/);
  expect(readFileSync(at, "utf8")).toBe("old\n");
});

test("a file that holds more than it was said to is not believed", async () => {
  await expect(readContent("/proc/self/status", 1_000_000)).rejects.toThrow(
    "state.unreadable: it was changed while it was read",
  );
});
