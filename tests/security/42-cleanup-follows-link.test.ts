import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openFileStore, recoverDataDirectory } from "@gatehouse/store";
import { openFileBlobs } from "@gatehouse/store/blobs";
import { create } from "@gatehouse/store/decide";
import { expect, test } from "vitest";
import { childEnvironment } from "../support/child-environment.ts";
import { inventedKey, inventedKinds } from "../support/invented-kinds.ts";
import { inventedEntry } from "../support/invented-entry.ts";
import { stopMs } from "../support/stopped.ts";
import { makeScratch } from "./support/scratch.ts";
import { repository } from "./support/server.ts";
import { count, tried } from "./support/tried.ts";

/**
 * File Browser: whoever planted a link in a folder of temporary files had its target removed. What is cleaned up today
 * are the store's temporary files and blobs and the command line's unfinished bundles; the copies of running plugins join
 * them with the plugin runtime.
 */
test("links in the places of the store's temporary files are replaced, and their targets stay", async (context) => {
  await using scratch = await makeScratch();
  const victims = await plantVictims(scratch.path);
  const directory = join(scratch.path, "data");
  await (await openFileStore({ directory })).close();
  const names = ["state.json.tmp", "state.json.audit-wal.tmp", "master.key.tmp"];
  for (const name of names) await symlink(victims.file, join(directory, name));
  const store = await openFileStore({ directory, kinds: inventedKinds, checkpointBytes: 2_000 });
  for (let n = 1; n <= 60; n += 1) {
    const entry = inventedEntry({ at: n, actor: "system", action: "thing.kept", subject: `thing/${n}` });
    await store.commit(entry, [create(inventedKey(`thing/${n}`), { n, text: "x".repeat(200) })]);
  }
  await store.checkpoint();
  await store.close();
  await victims.expectWhole();
  // What the store did not need to write is left as it was, still a link and still not followed.
  for (const name of ["state.json", "state.json.audit-wal"])
    expect((await stat(join(directory, name))).isFile()).toBe(true);
  tried(context, `${count(names.length, "planted links")} beside the data files`);
});

test("unnamed blobs are removed as names, never as what a link leads to", async (context) => {
  await using scratch = await makeScratch();
  const victims = await plantVictims(scratch.path);
  const directory = join(scratch.path, "data");
  await mkdir(directory, { mode: 0o700 });
  const blobs = await openFileBlobs({ directory });
  const kept = await blobs.put([Buffer.from("kept")]);
  const folder = join(directory, "blobs", "sha256");
  const planted = ["0".repeat(64), "f".repeat(64), "f".repeat(64).replace(/.$/, "e")];
  await symlink(victims.file, join(folder, planted[0] ?? ""));
  await symlink(victims.directory, join(folder, planted[1] ?? ""));
  await symlink("/no/such/place", join(folder, planted[2] ?? ""));
  expect([...(await blobs.collect((digest) => digest === kept, 0))].sort()).toEqual([...planted].sort());
  expect(await readdir(folder)).toEqual([kept]);
  await victims.expectWhole();
  tried(context, `${count(planted.length, "planted links")} among the blobs`);
});

test("recovery keeps aside the link itself, and leaves alone what it leads to", async (context) => {
  await using scratch = await makeScratch();
  const victims = await plantVictims(scratch.path);
  const directory = join(scratch.path, "data");
  const store = await openFileStore({ directory });
  await store.commit(inventedEntry({ at: 1, actor: "cli", action: "thing.kept", subject: "thing/1" }));
  await store.close();
  await writeFile(join(directory, "logs.db"), "no database");
  for (const name of ["logs.db-wal", "logs.db-shm", "state.json.tmp"]) {
    await rm(join(directory, name), { force: true });
    await symlink(victims.file, join(directory, name));
  }
  // Whether it recovers or refuses is another class's question.
  await recoverDataDirectory({ directory }).catch(() => undefined);
  await victims.expectWhole();
  tried(context, "3 planted links before a recovery");
});

test("an unfinished bundle of the command line goes, and a link with its name stays whole", async (context) => {
  await using scratch = await makeScratch();
  const victims = await plantVictims(scratch.path);
  const out = join(scratch.path, "out");
  await mkdir(out);
  await symlink(victims.directory, join(out, "acme-link"));
  await writeFile(join(scratch.path, "program"), "#!/bin/sh\n");
  const pack = async (id: string) => {
    const fields = { id, name: "A", version: "1.0.0", publisher: "acme", runner: "system", capabilities: [] };
    await writeFile(join(scratch.path, "plugin.json"), JSON.stringify(fields));
    return runCli(["plugin", "pack", join(scratch.path, "plugin.json"), join(scratch.path, "program"), "--out", out]);
  };
  expect((await pack("acme-link")).text).toContain("exists already");
  expect(await pack("acme-fine")).toMatchObject({ status: 0 });
  expect((await readdir(out)).sort()).toEqual(["acme-fine", "acme-link"]);
  expect(await readlink(join(out, "acme-link"))).toBe(victims.directory);
  await victims.expectWhole();
  tried(context, "1 packed over a link");
});

interface Victims {
  readonly file: string;
  readonly directory: string;
  expectWhole(): Promise<void>;
}

/** A file and a directory that nothing here has any business with. */
async function plantVictims(root: string): Promise<Victims> {
  const directory = join(root, "victim");
  const file = join(directory, "file.txt");
  await mkdir(join(directory, "inner"), { recursive: true });
  await writeFile(file, "to be kept");
  await writeFile(join(directory, "inner", "deep.txt"), "to be kept");
  const before = await stat(file, { bigint: true });
  return {
    file,
    directory,
    expectWhole: async () => {
      expect((await readdir(directory, { recursive: true })).sort()).toEqual(["file.txt", "inner", "inner/deep.txt"]);
      expect(await readFile(file, "utf8")).toBe("to be kept");
      const { ino, mtimeNs, nlink } = await stat(file, { bigint: true });
      expect({ ino, mtimeNs, nlink }).toEqual({ ino: before.ino, mtimeNs: before.mtimeNs, nlink: before.nlink });
    },
  };
}

function runCli(args: readonly string[]): { status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(repository, "apps/cli/src/main.ts"), ...args], {
    encoding: "utf8",
    env: childEnvironment(),
    timeout: stopMs,
  });
  return { status, text: stdout + stderr };
}
