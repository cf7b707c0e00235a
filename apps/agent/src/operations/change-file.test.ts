import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { nodeVfs } from "@gatehouse/files";
import { type Operation, usualPlaces, workOfOperation } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { recordedHost } from "../../test/recorded-host.ts";
import { changeFile } from "./change-file.ts";

const path = "/etc/app/app.conf";

function setUp(held: string | null = "old\n", mode = 0o640) {
  const { root, owner, paths } = makeHostDirectory();
  const { run, lines } = recordedHost();
  mkdirSync(join(root, "etc/app"));
  const gid = statSync(root).gid;
  writeFileSync(join(root, "etc/passwd"), `me:x:${owner}:${gid}::/:/bin/sh\n`);
  writeFileSync(join(root, "etc/group"), `us:x:${gid}:\n`);
  const at = join(root, path);
  if (held !== null) {
    writeFileSync(at, held);
    chmodSync(at, mode);
  }
  const ground = { root, owner, run, directory: join(paths.snapshots, "task"), pause: async () => undefined };
  const names = () => readdirSync(join(root, "etc/app")).toSorted();
  return { root, at, ground, lines, names };
}

const wanted = { kind: "file.write", path, text: "new\n", mode: "0644", owner: "me", group: "us" } as const;
type FileWrite = Extract<Operation, { kind: "file.write" }>;
const operation = (more: Partial<FileWrite> = {}): FileWrite => ({ ...wanted, ...more });

test("a file is replaced whole, with its mode, and no program is started", async () => {
  const { at, ground, lines, names } = setUp();
  await changeFile.validate(ground, operation());
  expect(await changeFile.isApplied(ground, operation())).toBe(false);
  const before = lstatSync(at).ino;
  await changeFile.apply(ground, operation());
  expect([readFileSync(at, "utf8"), lstatSync(at).mode & 0o7777]).toEqual(["new\n", 0o644]);
  expect(lstatSync(at).ino).not.toBe(before);
  expect(await changeFile.isApplied(ground, operation())).toBe(true);
  await changeFile.finish?.(ground, operation());
  expect(names()).toEqual(["app.conf"]);
  expect(lines).toEqual([]);
});

test("it comes back as the very file that it was", async () => {
  const { at, ground, names } = setUp();
  const before = lstatSync(at);
  const copy = await changeFile.snapshot(ground, path);
  await changeFile.prove(ground, path, copy);
  await changeFile.apply(ground, operation());
  await changeFile.restore(ground, path, copy);
  const after = lstatSync(at);
  expect([after.ino, after.mode, after.mtimeMs, after.nlink]).toEqual([before.ino, before.mode, before.mtimeMs, 1]);
  expect(names()).toEqual(["app.conf"]);
});

test("from its copy alone it comes back with what it held and who may do what with it", async () => {
  const { at, ground, names } = setUp("old\n", 0o600);
  const copy = await changeFile.snapshot(ground, path);
  await changeFile.apply(ground, operation());
  rmSync(join(at, "../.app.conf.gatehouse-before~"));
  await changeFile.restore(ground, path, copy);
  expect([readFileSync(at, "utf8"), lstatSync(at).mode & 0o7777]).toEqual(["old\n", 0o600]);
  expect(names()).toEqual(["app.conf"]);
});

test("where there was no file, there is none afterwards", async () => {
  const { ground, names } = setUp(null);
  const copy = await changeFile.snapshot(ground, path);
  expect(copy).toBeNull();
  await changeFile.prove(ground, path, copy);
  await changeFile.apply(ground, operation());
  expect(names()).toEqual(["app.conf"]);
  await changeFile.restore(ground, path, copy);
  expect(names()).toEqual([]);
});

test.each<[string, (before: string) => void]>([
  ["a file", (before) => writeFileSync(before, "planted\n")],
  ["a file that is too large to be read", (before) => (writeFileSync(before, ""), truncateSync(before, 2 ** 25))],
  ["a link", (before) => symlinkSync("app.conf", before)],
])("%s that somebody else gave the second name is not taken for what was there", async (_, plant) => {
  const { at, ground, names } = setUp();
  plant(join(at, "../.app.conf.gatehouse-before~"));
  const copy = await changeFile.snapshot(ground, path);
  await changeFile.apply(ground, operation());
  await changeFile.restore(ground, path, copy);
  expect(readFileSync(at, "utf8")).toBe("old\n");
  expect(names()).toEqual(["app.conf"]);
});

test("what an earlier change has left is not kept in place of the file", async () => {
  const { at, ground, names } = setUp();
  // Of a change that was confirmed, and whose leftovers could not be taken away then.
  writeFileSync(join(at, "../.app.conf.gatehouse-before~"), "older\n");
  writeFileSync(join(at, "../.app.conf.gatehouse-next~"), "ol");
  await changeFile.validate(ground, operation());
  const before = lstatSync(at);
  const copy = await changeFile.snapshot(ground, path);
  await changeFile.apply(ground, operation());
  await changeFile.restore(ground, path, copy);
  expect(lstatSync(at).ino).toBe(before.ino);
  expect(names()).toEqual(["app.conf"]);
});

test.each(["before", "next"])(
  "a directory under the name for what was %s is found before anything is changed",
  async (what) => {
    const { at, ground } = setUp();
    mkdirSync(join(at, `../.app.conf.gatehouse-${what}~`));
    await expect(changeFile.validate(ground, operation())).rejects.toThrow(`validate.failed: ${path}: `);
  },
);

test.each<[string, (before: string) => void]>([
  ["has grown beyond what is kept", (before) => truncateSync(before, 17 * 1024 * 1024)],
  ["was written to", (before) => writeFileSync(before, "log\n")],
  ["has got another name", (before) => linkSync(before, join(before, "../../other"))],
  ["is a link", (before) => (rmSync(before), symlinkSync("/etc/passwd", before))],
])("it comes back from its copy when what a program still had open %s", async (_, become) => {
  const { at, ground, names } = setUp();
  const copy = await changeFile.snapshot(ground, path);
  await changeFile.apply(ground, operation());
  become(join(at, "../.app.conf.gatehouse-before~"));
  await changeFile.restore(ground, path, copy);
  expect([readFileSync(at, "utf8"), lstatSync(at).mode & 0o7777, lstatSync(at).nlink]).toEqual(["old\n", 0o640, 1]);
  expect(names()).toEqual(["app.conf"]);
});

test.each<[string, (at: string) => void]>([
  ["nothing has begun", () => undefined],
  ["what is to come is half written", (at) => writeFileSync(join(at, "../.app.conf.gatehouse-next~"), "ne")],
  ["what was there has its second name", (at) => linkSync(at, join(at, "../.app.conf.gatehouse-before~"))],
  ["somebody has put a link there", (at) => (rmSync(at), symlinkSync("/etc/passwd", at))],
  ["somebody has taken it away", (at) => rmSync(at)],
  ["somebody has given it another name too", (at) => linkSync(at, join(at, "../other"))],
])("putting it back does the same wherever it is found: %s", async (_, meet) => {
  const { at, ground, names } = setUp();
  const copy = await changeFile.snapshot(ground, path);
  meet(at);
  for (const _time of [1, 2]) {
    await changeFile.restore(ground, path, copy);
    expect([readFileSync(at, "utf8"), lstatSync(at).mode & 0o7777]).toEqual(["old\n", 0o640]);
    expect(names().filter((name) => name !== "other")).toEqual(["app.conf"]);
    // Otherwise it could not be told afterwards, by the rule for every file of a plan, that it is back.
    expect(lstatSync(at).nlink).toBe(1);
  }
});

test("two writes of one file come back as the file that was there before both", async () => {
  const { at, ground } = setUp();
  const copy = await changeFile.snapshot(ground, path);
  await changeFile.apply(ground, operation());
  await changeFile.apply(ground, operation({ text: "newer\n" }));
  await changeFile.restore(ground, path, copy);
  expect(readFileSync(at, "utf8")).toBe("old\n");
});

test.each<[string, Partial<FileWrite>, string]>([
  ["a user", { owner: "nobody-here" }, "expected a user of this host, found nobody-here"],
  ["a group", { group: "none" }, "expected a group of this host, found none"],
  ["a directory", { path: "/etc/none/app.conf" }, "/etc/none/app.conf: path.parent: expected the directory /etc/none"],
])("%s that the host does not have is found before anything is changed", async (_, more, said) => {
  const { ground } = setUp();
  await expect(changeFile.validate(ground, operation(more))).rejects.toThrow(`validate.failed: ${said}`);
});

test("a disk that has no room for it is found before anything is changed", async () => {
  const { at, ground, names } = setUp();
  const vfs = { ...nodeVfs, space: () => Promise.resolve({ free: 1_048_579, total: 2_000_000 }) };
  await expect(changeFile.validate({ ...ground, vfs }, operation())).rejects.toThrow(
    `validate.failed: ${path}: expected 1048580 bytes of room, found 1048579`,
  );
  await changeFile.validate({ ...ground, vfs }, operation({ text: "new" }));
  expect([names(), readFileSync(at, "utf8")]).toEqual([["app.conf"], "old\n"]);
});

test("what a step fails of is told with its code, and in its own words where it has none", async () => {
  const { ground } = setUp();
  const failing = (why: Error) => ({ ...ground, vfs: { ...nodeVfs, space: () => Promise.reject(why) } });
  const gone = Object.assign(new Error("statfs"), { code: "EIO" });
  await expect(changeFile.validate(failing(gone), operation())).rejects.toThrow(`validate.failed: ${path}: EIO`);
  await expect(changeFile.validate(failing(new TypeError("odd")), operation())).rejects.toThrow(
    `validate.failed: ${path}: TypeError: odd`,
  );
});

test("a directory that becomes another while it is opened is not written to", async () => {
  const { root, at, ground } = setUp();
  let asked = 0;
  const moving = {
    ...ground,
    get root() {
      asked += 1;
      // The way has been judged by then, and nothing is opened yet.
      if (asked === 2) {
        renameSync(join(root, "etc"), join(root, "other"));
        symlinkSync("other", join(root, "etc"));
      }
      return root;
    },
  };
  await expect(changeFile.restore(moving, path, null)).rejects.toThrow(
    `restore.failed: ${path}: path.parent: ${path}: its directory was moved while it was opened`,
  );
  expect(readFileSync(at, "utf8")).toBe("old\n");
});

test("a file that is too large to be kept is not replaced", async () => {
  const { at, ground } = setUp();
  truncateSync(at, 16 * 1024 * 1024 + 1);
  await expect(changeFile.snapshot(ground, path)).rejects.toThrow(
    `snapshot.failed: ${path}: read.limit: expected at most 16777216 bytes`,
  );
});

test.each<[string, (at: string) => void, string]>([
  ["a link", (at) => (rmSync(at), symlinkSync("other", at)), "path.symlink"],
  ["a directory", (at) => (rmSync(at), mkdirSync(at)), "path.kind"],
  ["a file with two names", (at) => linkSync(at, `${at}.too`), "path.kind"],
  ["a directory that others may write to", (at) => chmodSync(join(at, ".."), 0o777), "path.parent"],
  [
    "a way over a link",
    (at) => {
      renameSync(join(at, ".."), join(at, "../../real"));
      symlinkSync("real", join(at, ".."));
    },
    "path.symlink",
  ],
])("what has become %s since it was judged is not written over", async (_, become, code) => {
  const { at, ground } = setUp();
  become(at);
  await expect(changeFile.validate(ground, operation())).rejects.toThrow(`validate.failed: ${path}: ${code}`);
  await expect(changeFile.snapshot(ground, path)).rejects.toThrow(`snapshot.failed: ${path}: ${code}`);
  await expect(changeFile.apply(ground, operation())).rejects.toThrow(`apply.failed: ${path}: ${code}`);
});

test("a file whose rights could not be put back is not replaced", async () => {
  const { ground } = setUp("#!/bin/sh\n", 0o4755);
  await expect(changeFile.snapshot(ground, path)).rejects.toThrow(
    "snapshot.failed: /etc/app/app.conf: expected no set-user-id",
  );
});

test("a copy that is none, and a path that is none, put nothing anywhere", async () => {
  const { at, ground } = setUp();
  for (const copy of ["", "old", "\0\0\0\u0003{}\nold", "\0\0\u0001\0old\n"]) {
    const bytes = new TextEncoder().encode(copy);
    await expect(changeFile.prove(ground, path, bytes)).rejects.toThrow(
      "snapshot.unprovable: expected the copy of a file",
    );
    await expect(changeFile.restore(ground, path, bytes)).rejects.toThrow("restore.failed");
  }
  await expect(changeFile.restore(ground, "/etc/../etc/app/app.conf", null)).rejects.toThrow(
    "expected an absolute path",
  );
  expect(readFileSync(at, "utf8")).toBe("old\n");
});

test("it is not taken for made when it is gone, or has become something that is no file", async () => {
  const { at, ground } = setUp();
  await changeFile.apply(ground, operation());
  rmSync(at);
  expect(await changeFile.isApplied(ground, operation())).toBe(false);
  mkdirSync(at);
  await expect(changeFile.isApplied(ground, operation())).rejects.toThrow(`check.failed: ${path}: path.kind`);
});

test.each([
  ["what it holds", { text: "others\n" }],
  ["its mode", { mode: "0600" }],
])("it is not taken for made while %s is another", async (_, more) => {
  const { ground } = setUp();
  await changeFile.apply(ground, operation());
  expect(await changeFile.isApplied(ground, operation(more))).toBe(false);
});

test("it explains what it would write, and that only what systemd reads has a program", () => {
  expect(workOfOperation(operation(), usualPlaces)).toEqual({ files: [{ path, text: "new\n" }], programs: [] });
  const ofSystemd = operation({ path: "/etc/systemd/system/web.service" });
  expect(workOfOperation(ofSystemd, usualPlaces).programs).toEqual([
    { step: "apply", argv: ["systemctl", "daemon-reload"] },
    { step: "restore", argv: ["systemctl", "daemon-reload"] },
  ]);
});

test.each([0, 1])("systemd reads a unit file that was written, and its %i is taken for what it says", async (code) => {
  const { root, ground } = setUp();
  mkdirSync(join(root, "etc/systemd/system"), { recursive: true });
  const started: string[] = [];
  const run: typeof ground.run = async (program, words) => {
    started.push([program, ...words].join(" "));
    return { code, stdout: "", stderr: "" };
  };
  const applied = changeFile.apply({ ...ground, run }, operation({ path: "/etc/systemd/system/web.service" }));
  if (code === 0) await applied;
  else await expect(applied).rejects.toThrow("apply.failed: systemctl ended with 1 and said: nothing");
  expect(started).toEqual(["systemctl daemon-reload"]);
});
