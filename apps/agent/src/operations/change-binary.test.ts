import { createHash } from "node:crypto";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { nodeVfs } from "@gatehouse/files";
import { type Operation, planLimits, usualPlaces, workOfOperation } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { keptOf } from "../../test/made-artifact.ts";
import { recordedHost } from "../../test/recorded-host.ts";
import type { KeptArtifact } from "../tasks/kept-artifact.ts";
import { changeBinary } from "./change-binary.ts";
import { openRoomClaims, spareBytes } from "./room-claims.ts";

type BinaryReplace = Extract<Operation, { kind: "binary.replace" }>;

const path = "/opt/app/tool";
const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");

function operation(text = "new program", more: Partial<BinaryReplace> = {}): BinaryReplace {
  return {
    kind: "binary.replace",
    path,
    name: "tool",
    version: "1.2.3",
    architecture: "x64",
    sha256: digestOf(text),
    size: text.length,
    publisher: "acme",
    signature: { keyId: "0".repeat(32), ed25519: `${"A".repeat(86)}==` },
    ...more,
  };
}

function setUp(held: string | null = "old program", mode = 0o750) {
  const { root, owner, paths } = makeHostDirectory();
  const { run, lines } = recordedHost();
  const directory = join(paths.snapshots, "task");
  for (const each of ["opt", "opt/app"]) mkdirSync(join(root, each), { recursive: true });
  mkdirSync(directory, { recursive: true });
  const at = join(root, path);
  if (held !== null) {
    writeFileSync(at, held);
    chmodSync(at, mode);
  }
  const artifacts: KeptArtifact[] = [];
  /** The file is another by now where `held` is. */
  const bring = (text = "new program", held = text) => {
    artifacts.length = 0;
    artifacts.push({ ...keptOf(new TextEncoder().encode(held)), sha256: digestOf(text), size: text.length });
  };
  bring();
  const ground = { root, owner, run, directory, artifacts, pause: async () => undefined };
  const names = () => readdirSync(join(root, "opt/app")).toSorted();
  const found = () => [readFileSync(at, "utf8"), lstatSync(at).mode & 0o7777];
  return { root, at, ground, lines, names, bring, found };
}

test("a program is replaced whole, keeps its mode, and nothing is started", async () => {
  const { at, ground, lines, names, found } = setUp();
  await changeBinary.validate(ground, operation());
  expect(await changeBinary.isApplied(ground, operation())).toBe(false);
  const before = lstatSync(at).ino;
  await changeBinary.apply(ground, operation());
  expect(found()).toEqual(["new program", 0o750]);
  expect(lstatSync(at).ino).not.toBe(before);
  expect(await changeBinary.isApplied(ground, operation())).toBe(true);
  await changeBinary.finish?.(ground, operation());
  expect(names()).toEqual(["tool"]);
  expect(lines).toEqual([]);
  expect(workOfOperation(operation(), usualPlaces)).toEqual({ files: [], programs: [] });
});

test("where there was none it is made so that everybody can start it, and taken away again", async () => {
  const { ground, names, found } = setUp(null);
  await changeBinary.validate(ground, operation());
  expect(await changeBinary.snapshot(ground, path)).toBeNull();
  await changeBinary.prove(ground, path, null);
  await changeBinary.apply(ground, operation());
  expect(found()).toEqual(["new program", 0o755]);
  for (const _ of "twice") await changeBinary.restore(ground, path, null);
  expect(names()).toEqual([]);
});

test("it comes back as the very file that it was", async () => {
  const { at, ground, names } = setUp();
  const before = lstatSync(at);
  const copy = await changeBinary.snapshot(ground, path);
  await changeBinary.prove(ground, path, copy);
  await changeBinary.apply(ground, operation());
  for (const _ of "twice") await changeBinary.restore(ground, path, copy);
  const after = lstatSync(at);
  expect([after.ino, after.mode, after.mtimeMs, after.nlink]).toEqual([before.ino, before.mode, before.mtimeMs, 1]);
  expect(names()).toEqual(["tool"]);
});

test.each([
  ["gone", (name: string) => rmSync(name)],
  ["another by now", (name: string) => writeFileSync(name, "spoilt")],
])("it comes back from its copy where its second name is %s", async (_, spoil) => {
  const { root, ground, names, found } = setUp();
  const copy = await changeBinary.snapshot(ground, path);
  await changeBinary.apply(ground, operation());
  spoil(join(root, "opt/app/.tool.gatehouse-before~"));
  await changeBinary.restore(ground, path, copy);
  expect(found()).toEqual(["old program", 0o750]);
  expect(names()).toEqual(["tool"]);
});

test("one that was never replaced stays as it is", async () => {
  const { at, ground } = setUp();
  const before = lstatSync(at);
  const copy = await changeBinary.snapshot(ground, path);
  await changeBinary.restore(ground, path, copy);
  expect(lstatSync(at).ino).toBe(before.ino);
});

test("one that has got another name of somebody is written anew", async () => {
  const { root, at, ground, found } = setUp();
  const copy = await changeBinary.snapshot(ground, path);
  linkSync(at, join(root, "opt/mine"));
  await changeBinary.restore(ground, path, copy);
  expect([...found(), lstatSync(at).nlink]).toEqual(["old program", 0o750, 1]);
});

test("bytes that are not those of the plan are never put in place, whenever they became so", async () => {
  const { at, ground, names, bring } = setUp();
  const before = lstatSync(at).ino;
  for (const other of ["new PROGRAM", "new", "new program and more"]) {
    bring("new program", other);
    await expect(changeBinary.validate(ground, operation())).rejects.toMatchObject({ code: "validate.failed" });
    await expect(changeBinary.apply(ground, operation())).rejects.toMatchObject({ code: "apply.failed" });
  }
  ground.artifacts.length = 0;
  await expect(changeBinary.validate(ground, operation())).rejects.toMatchObject({ code: "validate.failed" });
  await expect(changeBinary.apply(ground, operation())).rejects.toMatchObject({ code: "apply.failed" });
  expect(lstatSync(at).ino).toBe(before);
  expect(names().filter((name) => name.includes("next"))).toEqual([]);
});

test("a copy that has changed would put back something else, and is told before the change", async () => {
  const { ground } = setUp();
  const copy = await changeBinary.snapshot(ground, path);
  const [kept] = readdirSync(ground.directory).filter((name) => name.startsWith("program-"));
  writeFileSync(join(ground.directory, String(kept)), "spoilt");
  const unprovable = { code: "snapshot.unprovable" };
  await expect(changeBinary.prove(ground, path, copy)).rejects.toMatchObject(unprovable);
  rmSync(join(ground.directory, String(kept)));
  await expect(changeBinary.prove(ground, path, copy)).rejects.toMatchObject(unprovable);
  await expect(changeBinary.prove(ground, path, new Uint8Array(3))).rejects.toMatchObject(unprovable);
});

test("what no plan may replace is refused before anything is kept", async () => {
  const { root, at, ground } = setUp();
  const refused = { code: "validate.failed" };
  linkSync(at, join(root, "opt/app/other"));
  await expect(changeBinary.validate(ground, operation())).rejects.toMatchObject(refused);
  await expect(changeBinary.snapshot(ground, path)).rejects.toMatchObject({ code: "snapshot.failed" });
  rmSync(at);
  symlinkSync("other", at);
  await expect(changeBinary.validate(ground, operation())).rejects.toMatchObject(refused);
  rmSync(at);
  mkdirSync(at);
  await expect(changeBinary.validate(ground, operation())).rejects.toMatchObject(refused);
});

test("a program that gives its rights to others is not kept: it could not be put back", async () => {
  const { ground } = setUp("old program", 0o4755);
  await expect(changeBinary.snapshot(ground, path)).rejects.toMatchObject({
    code: "snapshot.failed",
    detail: expect.stringContaining("found mode 4755"),
  });
});

test("one that is larger than an artifact can be is left alone", async () => {
  const { at, ground } = setUp();
  truncateSync(at, planLimits.artifactBytes + 1);
  await expect(changeBinary.validate(ground, operation())).rejects.toMatchObject({ code: "validate.failed" });
});

test("without room for the new one and for the copy of the old one nothing is begun", async () => {
  const { root, ground } = setUp();
  for (const full of [join(root, "opt/app"), ground.directory]) {
    const space = async (place: string) => (place === full ? { free: 100, total: 1_000 } : nodeVfs.space(place));
    const vfs = { ...nodeVfs, space };
    await expect(changeBinary.validate({ ...ground, vfs }, operation())).rejects.toMatchObject({
      code: "validate.failed",
      detail: expect.stringContaining("bytes of room"),
    });
  }
});

test("programs of one change are judged by the room that they need together", async () => {
  const { ground } = setUp();
  const vfs = { ...nodeVfs, space: async () => ({ free: spareBytes + 30, total: 1_000 }) };
  const together = { ...ground, vfs, claims: openRoomClaims() };
  await changeBinary.validate(together, operation());
  await expect(changeBinary.validate(together, operation())).rejects.toMatchObject({ code: "validate.failed" });
});

test("whatever an earlier change left beside it is taken away first", async () => {
  const { root, ground, names } = setUp();
  for (const left of ["before", "next"]) writeFileSync(join(root, `opt/app/.tool.gatehouse-${left}~`), "left");
  await changeBinary.validate(ground, operation());
  expect(names()).toEqual(["tool"]);
});

test("a program of many pieces comes whole, and goes back whole", async () => {
  const old = "old".repeat(1_000_000);
  const wanted = "new".repeat(1_500_000);
  const { ground, bring, at } = setUp(old);
  bring(wanted);
  await changeBinary.validate(ground, operation(wanted));
  const copy = await changeBinary.snapshot(ground, path);
  await changeBinary.apply(ground, operation(wanted));
  expect(digestOf(readFileSync(at, "utf8"))).toBe(digestOf(wanted));
  rmSync(join(at, "../.tool.gatehouse-before~"));
  await changeBinary.restore(ground, path, copy);
  expect(digestOf(readFileSync(at, "utf8"))).toBe(digestOf(old));
  expect(statSync(at).mode & 0o7777).toBe(0o750);
});
