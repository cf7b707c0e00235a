import { writeFileSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { nodeVfs, type Vfs } from "@gatehouse/files";
import { openFileStore, recoverDataDirectory } from "@gatehouse/store";
import { openFileBlobs } from "@gatehouse/store/blobs";
import { create } from "@gatehouse/store/decide";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inventedKey, inventedKinds } from "../support/invented-kinds.ts";
import { inventedEntry } from "../support/invented-entry.ts";
import { counts } from "./support/chance.ts";
import { looseModes, watchModes } from "./support/loose-modes.ts";
import { makeScratch } from "./support/scratch.ts";
import { startServer } from "./support/server.ts";
import { count, tried } from "./support/tried.ts";

/** Grafana and Vault: the file with the secrets could be read by every user of the machine. */
let before = 0;
beforeAll(() => {
  // Nothing is masked: every mode is the one our code asked for.
  before = process.umask(0);
});
afterAll(() => void process.umask(before));

test("the server's files are private from their first moment, also under umask 000", async (context) => {
  await using scratch = await makeScratch();
  const dataDir = join(scratch.path, "new", "and", "deep");
  const top = join(scratch.path, "new");
  let looks = 0;
  const names = new Set<string>();
  const life = async (end: "stop" | "kill") => {
    const watched = await watchModes(top, async () => {
      await using server = await startServer({ dataDir, before: "umask 000" });
      await server[end]();
    });
    expect(watched.loose).toEqual([]);
    looks += watched.looks;
    for (const name of watched.names) names.add(name);
  };
  await life("kill"); // The first boot makes everything.
  await life("stop");
  expect(looseModes(top)).toEqual([]);
  for (const name of ["state.json", "state.json.audit-wal", "logs.db", "master.key"]) expect(names).toContain(name);
  tried(context, `${count(looks, "looks")} at ${count(names.size, "names")} during two lives of the server`);
});

test("files that a careless copy made readable are private again once the server has started, or it refuses", async (context) => {
  await using scratch = await makeScratch();
  const dataDir = join(scratch.path, "data");
  await using first = await startServer({ dataDir });
  await first.stop();
  const names = await readdir(dataDir);
  for (const name of names) await chmod(join(dataDir, name), 0o644);
  const started = await startServer({ dataDir }).catch(() => undefined);
  const loose = started === undefined ? [] : looseModes(dataDir).filter((found) => !found.startsWith(". "));
  await started?.[Symbol.asyncDispose]();
  expect(loose).toEqual([]);
  tried(context, `${count(names.length, "loose files")} at a start`);
});

test("every path by which the store writes makes private files, the temporary ones too", async (context) => {
  await using scratch = await makeScratch();
  const directory = join(scratch.path, "data");
  const created: string[] = [];
  const loose = new Set<string>();
  const look = () => {
    for (const found of looseModes(directory)) loose.add(found);
  };
  const vfs: Vfs = {
    ...nodeVfs,
    open: async (path, mode) => {
      const file = await nodeVfs.open(path, mode);
      if (mode === "create") created.push(path.slice(directory.length + 1));
      look();
      return file;
    },
    rename: async (from, to) => {
      await nodeVfs.rename(from, to);
      look();
    },
  };
  const commits = counts["44 commits"];
  const store = await openFileStore({ directory, kinds: inventedKinds, vfs, checkpointBytes: 20_000 });
  const blobs = await openFileBlobs({ vfs, directory });
  for (let n = 1; n <= commits; n += 1) {
    const entry = inventedEntry({ at: n, actor: "system", action: "thing.kept", subject: `thing/${n}` });
    await store.commit(entry, [create(inventedKey(`thing/${n}`), { n, text: "x".repeat(200) })]);
    if (n % 50 === 0) await blobs.put([Buffer.from(`blob ${n}`)]);
  }
  await store.checkpoint();
  await store.close();
  look();
  expect([...loose]).toEqual([]);
  expect(new Set(created)).toContain("state.json.tmp");
  expect(new Set(created)).toContain("state.json.audit-wal.tmp");
  tried(context, `${count(created.length, "files created")} by ${count(commits, "commits")} and their checkpoints`);
});

test("what recovery keeps aside and writes anew is private as well", async (context) => {
  await using scratch = await makeScratch();
  const directory = join(scratch.path, "data");
  const store = await openFileStore({ directory });
  for (let n = 1; n <= 20; n += 1)
    await store.commit(inventedEntry({ at: n, actor: "cli", action: "thing.kept", subject: `thing/${n}` }));
  await store.abandon();
  const log = join(directory, "state.json.audit-wal");
  const bytes = await readFile(log);
  bytes[bytes.length >> 1] = 0;
  await writeFile(log, bytes);
  await writeFile(join(directory, "logs.db"), "no database");
  const { result, loose } = await watchModes(directory, () => recoverDataDirectory({ directory }));
  expect(result.kept.length).toBeGreaterThanOrEqual(2);
  expect([...loose, ...looseModes(directory)]).toEqual([]);
  tried(context, `${count(result.kept.length, "files kept aside")} by recovery`);
});

test("the look at modes finds a file and a directory that others can read", async () => {
  await using scratch = await makeScratch();
  writeFileSync(join(scratch.path, "open.txt"), "x");
  await mkdir(join(scratch.path, "entered"));
  expect(looseModes(scratch.path)).toEqual(["/entered 0777", "/open.txt 0666"]);
});
