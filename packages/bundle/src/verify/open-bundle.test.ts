import { execFileSync } from "node:child_process";
import { constants, readdirSync } from "node:fs";
import { appendFile, link, lstat, mkdir, open, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openEntry, readEntryNames } from "./directory-entries.ts";
import { hashFile, readWhole } from "./file-bytes.ts";
import { judgeBundle } from "./judge-bundle.ts";
import { openBundle } from "./open-bundle.ts";
import { placeSample, sampleArtifact, sampleNow, samplePolicy } from "./sample-cases.ts";
import { describeKind, refusalOfSystemError } from "./system-error.ts";
import { systemFiles } from "./system-files.ts";

type Plant = (place: { directory: string; bundle: string }) => unknown;

const tricks: ReadonlyArray<readonly [what: string, code: string, plant: Plant]> = [
  [
    "a linked directory",
    "bundle.not_a_directory",
    ({ directory, bundle }) => moveAndLink(bundle, join(directory, "x")),
  ],
  [
    "a file in place of the directory",
    "bundle.not_a_directory",
    ({ bundle }) => replace(bundle, () => writeFile(bundle, "")),
  ],
  [
    "a pipe in place of the directory",
    "bundle.not_a_directory",
    ({ bundle }) => replace(bundle, () => makeFifo(bundle)),
  ],
  [
    "a linked manifest",
    "bundle.not_a_regular_file",
    ({ directory, bundle }) => moveAndLink(join(bundle, "manifest.json"), join(directory, "m")),
  ],
  [
    "a linked artifact",
    "bundle.not_a_regular_file",
    ({ directory, bundle }) => moveAndLink(join(bundle, "artifact"), join(directory, "a")),
  ],
  [
    "a manifest that is a pipe",
    "bundle.not_a_regular_file",
    ({ bundle }) => replace(join(bundle, "manifest.json"), makeFifo),
  ],
  [
    "an artifact that is a pipe",
    "bundle.not_a_regular_file",
    ({ bundle }) => replace(join(bundle, "artifact"), makeFifo),
  ],
  [
    "an artifact that is a directory",
    "bundle.not_a_regular_file",
    ({ bundle }) => replace(join(bundle, "artifact"), mkdir),
  ],
  [
    "an artifact that is a device",
    "bundle.not_a_regular_file",
    ({ bundle }) => replace(join(bundle, "artifact"), makeDevice),
  ],
  [
    "an artifact with a second name",
    "bundle.hard_link",
    ({ directory, bundle }) => link(join(bundle, "artifact"), join(directory, "a")),
  ],
  [
    "a manifest with a second name",
    "bundle.hard_link",
    ({ directory, bundle }) => link(join(bundle, "manifest.json"), join(directory, "m")),
  ],
  ["a third file", "bundle.unexpected_entry", ({ bundle }) => writeFile(join(bundle, "extra"), "")],
  ["a hidden file", "bundle.unexpected_entry", ({ bundle }) => writeFile(join(bundle, ".extra"), "")],
  ["a directory inside", "bundle.unexpected_entry", ({ bundle }) => mkdir(join(bundle, "sub"))],
  [
    "a name in other letters",
    "bundle.unexpected_entry",
    ({ bundle }) => rename(join(bundle, "artifact"), join(bundle, "Artifact")),
  ],
  ["no artifact", "bundle.file_missing", ({ bundle }) => rm(join(bundle, "artifact"))],
  ["no manifest", "bundle.file_missing", ({ bundle }) => rm(join(bundle, "manifest.json"))],
  ["no directory", "bundle.file_missing", ({ bundle }) => rm(bundle, { recursive: true })],
  [
    "a manifest of one byte too many",
    "bundle.manifest_too_large",
    ({ bundle }) => truncate(join(bundle, "manifest.json"), 65_537),
  ],
  [
    "a sparse manifest of a tebibyte",
    "bundle.manifest_too_large",
    ({ bundle }) => truncate(join(bundle, "manifest.json"), 2 ** 40),
  ],
  [
    "a sparse artifact of a tebibyte",
    "bundle.artifact_too_large",
    ({ bundle }) => truncate(join(bundle, "artifact"), 2 ** 40),
  ],
];

describe("what a file system can put in place of a bundle is refused by its own code", () => {
  test.each(tricks)("%s: %s", async (_, code, plant) => {
    await using place = await placeSample();
    const before = openDescriptors();
    if ((await plant(place)) === cannotPlant) return;
    // Nobody ever writes to the pipe, and a tebibyte is read in hours: who waits or reads does not come back.
    await expect(openBundle(place.directory, "acme-lines")).rejects.toMatchObject({ code });
    const verdict = await judgeBundle({ directory: place.directory, name: "acme-lines", ...against() });
    expect(verdict).toMatchObject({ accepted: false, refusal: { code } });
    expect(openDescriptors()).toBe(before);
  });

  test("an artifact that is a socket", async () => {
    await using place = await placeSample();
    await rm(join(place.bundle, "artifact"));
    const server = createServer();
    await new Promise<void>((listening) => server.listen(join(place.bundle, "artifact"), listening));
    try {
      await expect(openBundle(place.directory, "acme-lines")).rejects.toMatchObject({
        code: "bundle.not_a_regular_file",
        detail: "expected artifact to be a regular file, found a socket",
      });
    } finally {
      await new Promise((closed) => server.close(closed));
    }
  });

  test.each([
    "",
    ".",
    "..",
    "a/../acme-lines",
    "acme-lines/",
    "ACME",
    "-acme",
    "a",
    "x".repeat(64),
    "acme\0lines",
    "ac\u202eme",
  ])("the name %j", async (name) => {
    await using place = await placeSample();
    await expect(openBundle(place.directory, name)).rejects.toMatchObject({ code: "bundle.name_invalid" });
  });

  test("a directory of very many entries is not read to its end", async () => {
    await using place = await placeSample();
    for (let index = 0; index < 300; index += 1) await writeFile(join(place.bundle, `entry-${index}`), "");
    await expect(openBundle(place.directory, "acme-lines")).rejects.toMatchObject({ code: "bundle.unexpected_entry" });
  });
});

describe("a good bundle", () => {
  test("its manifest is read, its artifact is hashed, and nothing stays open", async () => {
    await using place = await placeSample();
    const before = openDescriptors();
    const bundle = await openBundle(place.directory, "acme-lines");
    expect(bundle).toMatchObject({ id: "acme-lines", artifactSize: sampleArtifact.byteLength });
    expect(openDescriptors()).toBe(before + 1);
    await bundle.hashArtifact();
    await bundle.close();
    await bundle.close();
    expect(openDescriptors()).toBe(before);
    const verdicts = await Promise.all(
      Array.from({ length: 50 }, () => judgeBundle({ directory: place.directory, name: "acme-lines", ...against() })),
    );
    expect(verdicts.filter((verdict) => !verdict.accepted)).toEqual([]);
    expect(openDescriptors()).toBe(before);
  });

  test("the plugin directory itself may be a link", async () => {
    await using place = await placeSample();
    await using other = await placeSample();
    await symlink(place.directory, join(other.directory, "plugins"));
    await (await openBundle(join(other.directory, "plugins"), "acme-lines")).close();
  });

  test("an artifact of more than one read is hashed whole", async () => {
    await using place = await placeSample();
    await truncate(join(place.bundle, "artifact"), 2.5 * 1024 * 1024);
    const bundle = await openBundle(place.directory, "acme-lines");
    const printed = execFileSync("sha256sum", [join(place.bundle, "artifact")]).toString();
    expect(await bundle.hashArtifact()).toBe(printed.slice(0, 64));
    await bundle.close();
  });
});

describe("a bundle that changes while it is read", () => {
  const changes: ReadonlyArray<readonly [what: string, change: (artifact: string) => unknown]> = [
    ["a byte more", (artifact) => appendFile(artifact, "x")],
    ["a byte less", (artifact) => truncate(artifact, 3)],
    ["other bytes of the same length", (artifact) => writeFile(artifact, Buffer.alloc(sampleArtifact.byteLength))],
    ["another file under its name", (artifact) => replace(artifact, () => writeFile(artifact, sampleArtifact))],
    ["a second name", (artifact) => link(artifact, `${artifact}-2`)],
  ];

  test.each(changes)("%s", async (_, change) => {
    await using place = await placeSample();
    const bundle = await openBundle(place.directory, "acme-lines");
    // The kernel's clock for files moves in steps of a few milliseconds; the change has to fall into a later one.
    await laterThanNow(place.directory);
    await change(join(place.bundle, "artifact"));
    await expect(bundle.hashArtifact()).rejects.toMatchObject({ code: "bundle.changed_while_read" });
    await bundle.close();
  });

  test("fewer or more bytes than the size are never taken for the whole", async () => {
    await using place = await placeSample();
    const handle = await open(join(place.bundle, "artifact"));
    const { fd } = handle;
    const size = sampleArtifact.byteLength;
    for (const wrong of [size - 1, size + 1]) {
      expect([await readWhole(fd, wrong), await hashFile(fd, wrong)]).toEqual([undefined, undefined]);
    }
    expect(Buffer.from((await readWhole(fd, size)) ?? "")).toEqual(sampleArtifact);
    await handle.close();
  });

  test("a manifest that changes while it is read", async () => {
    await using place = await placeSample();
    using _ = beforeEach("read", () => truncate(join(place.bundle, "manifest.json"), 0));
    await expect(openBundle(place.directory, "acme-lines")).rejects.toMatchObject({
      code: "bundle.changed_while_read",
    });
  });

  test("a read that fails is a bundle that cannot be read, for either file", async () => {
    await using place = await placeSample();
    const bundle = await openBundle(place.directory, "acme-lines");
    const failing = Object.assign(new Error("i/o error"), { code: "EIO", syscall: "read" });
    using _ = beforeEach("read", () => Promise.reject(failing));
    await expect(bundle.hashArtifact()).rejects.toMatchObject({ code: "bundle.unreadable" });
    await expect(openBundle(place.directory, "acme-lines")).rejects.toMatchObject({
      code: "bundle.unreadable",
      detail: "expected a regular file manifest.json, found EIO",
    });
    await bundle.close();
  });
});

test.each([
  [1, "expected a directory acme-lines, found EACCES"],
  [2, "expected a regular file manifest.json, found EACCES"],
  [3, "expected a regular file artifact, found EACCES"],
])("what may not be opened is a bundle that cannot be read: open number %i", async (number, detail) => {
  await using place = await placeSample();
  const before = openDescriptors();
  let opened = 0;
  using _ = beforeEach("open", () => {
    opened += 1;
    if (opened === number) throw Object.assign(new Error("denied"), { code: "EACCES", syscall: "open" });
  });
  await expect(openBundle(place.directory, "acme-lines")).rejects.toMatchObject({ code: "bundle.unreadable", detail });
  expect(openDescriptors()).toBe(before);
});

describe("something else takes a file's place between the look and the open", () => {
  const swaps: ReadonlyArray<readonly [code: string, swap: (path: string) => unknown]> = [
    ["bundle.file_missing", (path) => rm(path)],
    ["bundle.not_a_regular_file", (path) => replace(path, () => symlink("nowhere", path))],
    ["bundle.hard_link", (path) => link(path, `${path}-2`)],
  ];

  test.each(swaps)("%s", async (code, swap) => {
    await using place = await placeSample();
    await expect(openAfter(place.bundle, swap)).rejects.toMatchObject({ code });
  });

  test("a pipe is opened without waiting, and refused", async () => {
    await using place = await placeSample();
    const before = openDescriptors();
    await expect(openAfter(place.bundle, (path) => replace(path, makeFifo))).rejects.toMatchObject({
      code: "bundle.not_a_regular_file",
      detail: "expected artifact to be a regular file, found a named pipe",
    });
    expect(openDescriptors()).toBe(before);
  });
});

describe("what the system says", () => {
  const said = (code: string) => Object.assign(new Error(code), { code, syscall: "open" });

  test.each([
    ["directory", "ENOENT", "bundle.file_missing"],
    ["directory", "ENOTDIR", "bundle.not_a_directory"],
    ["directory", "ELOOP", "bundle.not_a_directory"],
    ["directory", "EACCES", "bundle.unreadable"],
    ["file", "ENXIO", "bundle.not_a_regular_file"],
    ["file", "EACCES", "bundle.unreadable"],
    ["file", "EMFILE", "bundle.unreadable"],
  ] as const)("about a %s: %s is %s", (what, system, code) => {
    expect(refusalOfSystemError(said(system), what, "artifact")).toMatchObject({ code });
  });

  test("a defect stays a defect", () => {
    const defect = new TypeError("x is not a function");
    expect(refusalOfSystemError(defect, "file", "artifact")).toBe(defect);
    expect(refusalOfSystemError("text", "file", "artifact")).toBe("text");
  });

  test("a directory that vanishes while its entries are read is missing", async () => {
    await expect(readEntryNames(1_000_000)).rejects.toMatchObject({ code: "bundle.file_missing" });
  });

  test("each kind of entry has a name", () => {
    const not = () => false;
    const none = {
      isSymbolicLink: not,
      isDirectory: not,
      isFIFO: not,
      isSocket: not,
      isCharacterDevice: not,
      isBlockDevice: not,
    };
    const kinds = Object.keys(none).map((is) => describeKind({ ...none, [is]: () => true } as never));
    expect(new Set([...kinds, describeKind(none as never)]).size).toBe(7);
  });
});

const cannotPlant = Symbol("not possible here");

function against() {
  return { policy: samplePolicy(), now: sampleNow };
}

function openDescriptors(): number {
  return readdirSync("/proc/self/fd").length;
}

async function replace(path: string, make: (path: string) => unknown): Promise<unknown> {
  await rm(path, { recursive: true });
  return make(path);
}

async function moveAndLink(path: string, to: string): Promise<void> {
  await rename(path, to);
  await symlink(to, path);
}

function makeFifo(path: string): void {
  execFileSync("mkfifo", [path]);
}

/** Only root can make one, and not in every container. */
function makeDevice(path: string): unknown {
  try {
    execFileSync("mknod", [path, "c", "1", "5"], { stdio: "ignore" });
    return undefined;
  } catch {
    return cannotPlant;
  }
}

/** Opens the artifact, with a change after it was looked at and before it is opened. */
async function openAfter(bundle: string, change: (path: string) => unknown) {
  const directory = await open(bundle, constants.O_RDONLY);
  using _ = beforeEach("open", () => change(join(bundle, "artifact")));
  try {
    return await openEntry(directory.fd, "artifact");
  } finally {
    await directory.close();
  }
}

/** Does something before each call of one system function, until the end of the block. */
function beforeEach(name: "open" | "read", first: () => unknown): Disposable {
  const functions = systemFiles as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  const original = functions[name];
  functions[name] = async (...args) => {
    await first();
    return original?.(...args);
  };
  return { [Symbol.dispose]: () => void Object.assign(functions, { [name]: original }) };
}

async function laterThanNow(directory: string): Promise<void> {
  const probe = join(directory, "clock");
  await writeFile(probe, "");
  const { ctimeNs: start } = await lstat(probe, { bigint: true });
  for (let turn = 0; turn < 10_000; turn += 1) {
    await writeFile(probe, "");
    if ((await lstat(probe, { bigint: true })).ctimeNs !== start) return;
  }
}
