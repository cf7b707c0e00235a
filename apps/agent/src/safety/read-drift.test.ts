import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { manualClock } from "@gatehouse/base";
import { faultyVfs } from "@gatehouse/files/faulty";
import { expect, test } from "vitest";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { recordedHost } from "../../test/recorded-host.ts";
import { type Ceiling, defaultCeiling } from "../ceiling/ceiling.ts";
import { sampleData, wholeChange } from "./journal-cases.ts";
import { type Journal, openJournal } from "./open-journal.ts";
import { readDrift } from "./read-drift.ts";
import { findWatched, mostWatched } from "./watched-parts.ts";

const idOf = (number: number) => `task_${String(number).padStart(26, "0")}`;

/** A host that has written files by changes that were confirmed, with the journal that says so. */
async function setUp({ allow = ["file.write:/etc/app"] }: { allow?: readonly string[] } = {}) {
  const { root, owner, paths } = makeHostDirectory();
  const { run, lines } = recordedHost();
  mkdirSync(join(root, "etc/app"), { recursive: true });
  mkdirSync(join(root, "var/lib/gatehouse"), { recursive: true, mode: 0o700 });
  writeFileSync(join(root, "etc/passwd"), `me:x:${owner}:${statSync(root).gid}::/:/bin/sh\n`);
  writeFileSync(join(root, "etc/group"), `us:x:${statSync(root).gid}:\n`);
  const clock = manualClock();
  const journal: Journal = await openJournal({
    vfs: faultyVfs({ directories: ["/state"] }),
    directory: "/state/journal",
    withLock: (act) => act(),
    now: () => clock.now(),
    uptimeMs: () => 1_000,
    boot: "boot-1",
  });
  const write = (path: string, text: string) => {
    writeFileSync(join(root, path), text);
    chmodSync(join(root, path), 0o644);
  };
  let tasks = 0;
  /** Through all steps of a change; `made` false: it is taken back, or another one has changed the file before anybody looked. */
  const change = async (texts: Readonly<Record<string, string>>, outcome: "applied" | "rolled_back" = "applied") => {
    tasks += 1;
    const task = idOf(tasks);
    const operations = Object.entries(texts).map(([path, text]) => ({
      kind: "file.write",
      path,
      text,
      mode: "0644",
      owner: "me",
      group: "us",
    }));
    const section = {
      node: `node_${"0".repeat(26)}`,
      operations,
      preconditions: Object.keys(texts).map((path) => ({ subject: `file:${path}`, state: "absent" })),
    };
    const steps = outcome === "applied" ? wholeChange : wholeChange.slice(0, 5);
    for (const kind of steps) {
      const data = kind === "accepted" ? { ...sampleData.accepted, section } : sampleData[kind];
      await journal.append(task, kind, data);
    }
    if (outcome === "applied") for (const [path, text] of Object.entries(texts)) write(path, text);
    else {
      await journal.append(task, "restoring", sampleData.restoring);
      await journal.append(task, "ended", { ...sampleData.ended, outcome });
    }
    return task;
  };
  const ceiling: { now: Ceiling } = { now: { schema: 1, level: "managed", allow: [...allow] } };
  const changes = {
    told: async () => {
      const slot = await journal.look();
      const notes = await journal.recent(0);
      return { open: slot?.task, newest: notes.at(-1)?.seq ?? 0, notes: [] };
    },
    applied: (after: number, take: Parameters<Journal["applied"]>[1]) => journal.applied(after, take),
  };
  const deps = { paths, owner, run, clock, readCeiling: () => ceiling.now };
  const look = () => readDrift(deps, { changes, privateKey: new Uint8Array(32).fill(9) });
  return { root, deps, clock, journal, write, change, look, lines, ceiling, changes };
}

test("what was confirmed is the same until somebody changes it, and then it is told with both digests", async () => {
  const host = await setUp();
  const task = await host.change({ "/etc/app/a": "a\n", "/etc/app/b": "b\n" });
  const first = await host.look();
  expect(first).toMatchObject({ left: 0, drift: { watched: 2, more: 0, parts: [] } });
  host.write("/etc/app/a", "by hand\n");
  rmSync(join(host.root, "etc/app/b"));
  const second = await host.look();
  const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
  const whose = { task, plan: sampleData.accepted.planDigest, expected: digest, why: "" };
  expect(second.drift.parts).toEqual([
    { ...whose, subject: "file:/etc/app/a", state: "differs", found: digest, confirmedAt: expect.any(Number) },
    { ...whose, subject: "file:/etc/app/b", state: "missing", found: null, confirmedAt: expect.any(Number) },
  ]);
  expect(second.number).toBeGreaterThan(first.number);
  host.write("/etc/app/a", "a\n");
  host.write("/etc/app/b", "b\n");
  expect((await host.look()).drift.parts).toEqual([]);
});

test("a later change of the same part is what counts, and one that was taken back is not", async () => {
  const host = await setUp();
  await host.change({ "/etc/app/a": "a\n" });
  await host.look();
  const later = await host.change({ "/etc/app/a": "later\n" });
  expect((await host.look()).drift).toMatchObject({ watched: 1, parts: [] });
  await host.change({ "/etc/app/a": "never\n" }, "rolled_back");
  expect((await host.look()).drift.parts).toEqual([]);
  host.write("/etc/app/a", "a\n");
  expect((await host.look()).drift.parts).toMatchObject([{ task: later, state: "differs" }]);
});

test("a part that was changed before it was ever hashed is not taken for the confirmed one", async () => {
  const host = await setUp();
  await host.change({ "/etc/app/a": "a\n" });
  host.write("/etc/app/a", "sooner than the first look\n");
  expect((await host.look()).drift.parts).toMatchObject([{ state: "differs", expected: null }]);
  expect((await host.look()).drift.parts).toMatchObject([{ state: "differs", expected: null }]);
  host.write("/etc/app/a", "a\n");
  expect((await host.look()).drift.parts).toEqual([]);
  host.write("/etc/app/a", "again\n");
  expect((await host.look()).drift.parts).toMatchObject([{ expected: expect.any(String) }]);
});

test("what the ceiling does not allow any more is not read, and never told as the same", async () => {
  const host = await setUp();
  await host.change({ "/etc/app/a": "a\n" });
  await host.look();
  host.ceiling.now = defaultCeiling;
  const { drift } = await host.look();
  expect(drift.parts).toMatchObject([{ state: "unread", found: null, why: expect.stringMatching(/^read\.ceiling: /) }]);
});

test("what cannot be read is told with the reason, and the others are read all the same", async () => {
  const host = await setUp();
  await host.change({ "/etc/app/a": "a\n", "/etc/app/b": "b\n" });
  await host.look();
  rmSync(join(host.root, "etc/app/a"));
  mkdirSync(join(host.root, "etc/app/a"));
  host.write("/etc/app/b", "by hand\n");
  expect((await host.look()).drift.parts).toMatchObject([
    { subject: "file:/etc/app/b", state: "differs" },
    { subject: "file:/etc/app/a", state: "unread", why: expect.stringMatching(/^path\.kind: /) },
  ]);
});

test("while a change is open nothing is told, and nothing is forgotten", async () => {
  const host = await setUp();
  await host.change({ "/etc/app/a": "a\n" });
  await host.look();
  await host.journal.append(idOf(9), "accepted", sampleData.accepted);
  await expect(host.look()).rejects.toThrow(/^slot\.busy: /);
  await host.journal.append(idOf(9), "ended", { ...sampleData.ended, outcome: "failed_before_change" });
  expect((await host.look()).drift).toMatchObject({ watched: 1, parts: [] });
});

test("a look that a change began in is thrown away", async () => {
  const host = await setUp();
  await host.change({ "/etc/app/a": "a\n" });
  const before = findWatched(host.deps);
  const run = host.changes.told;
  let looks = 0;
  host.changes.told = async () => {
    looks += 1;
    if (looks === 2) await host.journal.append(idOf(9), "accepted", sampleData.accepted);
    return run();
  };
  await expect(host.look()).rejects.toThrow(/^slot\.busy: /);
  expect(findWatched(host.deps)).toEqual(before);
});

test("many parts are looked at in turn, and those that were confirmed last are kept", async () => {
  const host = await setUp();
  const some = (from: number, to: number) =>
    Object.fromEntries(
      Array.from({ length: to - from }, (_, n) => [`/etc/app/${String(from + n).padStart(4, "0")}`, "x\n"]),
    );
  for (let from = 0; from < 320; from += 64) await host.change(some(from, from + 64));
  host.write("/etc/app/0319", "by hand\n");
  const left: number[] = [];
  let told = await host.look();
  while (told.left > 0) {
    left.push(told.left);
    told = await host.look();
  }
  expect(left).toEqual([192, 128, 64]);
  expect(told.drift).toMatchObject({ watched: mostWatched, more: 0, parts: [{ subject: "file:/etc/app/0319" }] });
  expect(findWatched(host.deps)?.parts[0]?.subject).toBe("file:/etc/app/0064");
});

test("more that differs than one message has is counted", async () => {
  const host = await setUp();
  const names = Array.from({ length: 100 }, (_, n) => `/etc/app/${String(n).padStart(4, "0")}`);
  await host.change(Object.fromEntries(names.slice(0, 50).map((name) => [name, "x\n"])));
  await host.change(Object.fromEntries(names.slice(50).map((name) => [name, "x\n"])));
  for (const name of names) host.write(name, "by hand\n");
  let told = await host.look();
  while (told.left > 0) told = await host.look();
  expect(told.drift.more + told.drift.parts.length).toBe(100);
  expect(told.drift.parts.length).toBeLessThanOrEqual(64);
});

test("a host that has never made a change watches nothing and writes nothing", async () => {
  const host = await setUp();
  expect((await host.look()).drift).toEqual({ watched: 0, more: 0, parts: [] });
  expect(findWatched(host.deps)).toBeUndefined();
  expect(host.lines).toEqual([]);
});
