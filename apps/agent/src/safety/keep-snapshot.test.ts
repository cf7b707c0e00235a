import { faultyVfs } from "@gatehouse/files/faulty";
import { expect, test } from "vitest";
import { digestOf, RestoredHost, hostBefore, paths, sampleAccepted, sampleParts } from "../../test/restored-host.ts";
import { fault } from "@gatehouse/contract/faults";
import { otherTask, sampleTask } from "./journal-cases.ts";
import { changedParts, keepSnapshot, proveSnapshot } from "./keep-snapshot.ts";
import { dropSnapshot, hasManifest, listIn, readSnapshot } from "./snapshot-files.ts";

const directory = `${paths.snapshots}/${sampleTask}`;
const sample = { task: sampleTask, accepted: sampleAccepted };

test("each part is kept once, with the digest of its copy, and is read back as it was", async () => {
  const { deps, vfs } = new RestoredHost();
  expect(await keepSnapshot(deps, sample)).toEqual([
    { subject: sampleParts.table, sha256: digestOf(hostBefore[sampleParts.table]) },
    { subject: sampleParts.file, sha256: digestOf(hostBefore[sampleParts.file]) },
    { subject: sampleParts.newFile, sha256: null },
  ]);
  expect(await listIn(vfs, directory)).toEqual(["copy-0", "copy-1", "manifest.json"]);
  const { copies, manifest } = await readSnapshot(deps, sampleTask);
  expect(manifest.accepted).toEqual(sampleAccepted);
  expect(copies.map(({ target, bytes }) => [target, bytes && new TextDecoder().decode(bytes)])).toEqual([
    ["gatehouse_edge", "accept"],
    ["/etc/motd", "old words"],
    ["/etc/new", null],
  ]);
  await proveSnapshot(deps, sampleTask);
});

test("of a part that is changed twice the state before the first is kept; what only reads changes none", () => {
  const { operations } = sampleAccepted.section as never as Parameters<typeof changedParts>[0];
  const tail = { kind: "log.tail", source: "unit:app.service", lines: 1 } as never;
  expect(changedParts({ operations: [...operations, tail, ...operations] })).toEqual(changedParts({ operations }));
});

test("what unfinished ones of other tasks left goes; what was written for this one's programs stays", async () => {
  const leftovers = [`${directory}/apply-x.nft`, `${paths.snapshots}/${otherTask}/copy-0`];
  const files = new Map(leftovers.map((path) => [path, new Uint8Array([1])]));
  const vfs = faultyVfs({ files, directories: [paths.helperState, paths.snapshots] });
  await keepSnapshot(new RestoredHost({ vfs }).deps, sample);
  expect(await listIn(vfs, paths.snapshots)).toEqual([sampleTask]);
  expect(await listIn(vfs, directory)).toEqual(["apply-x.nft", "copy-0", "copy-1", "manifest.json"]);
});

test.each(["create", "write", "sync", "rename", "syncDirectory"] as const)(
  "a disk that fails at %s leaves no snapshot",
  async (op) => {
    for (let nth = 1; nth <= 3; nth += 1) {
      const { deps, vfs } = new RestoredHost();
      vfs.failNext(op, nth, "EIO");
      await expect(keepSnapshot(deps, sample)).rejects.toThrow(/^snapshot\.failed: .*snapshots: /);
      expect(await hasManifest(deps, sampleTask)).toBe(false);
    }
  },
);

test("what the host cannot keep, or cannot take back, is not changed", async () => {
  const host = new RestoredHost();
  host.before.snapshot = () => {
    throw fault("snapshot.failed", "nft ended with 1");
  };
  await expect(keepSnapshot(host.deps, sample)).rejects.toThrow("snapshot.failed: nft ended with 1");
  const { deps } = new RestoredHost();
  const older = { ...deps, host: { ...deps.host, findChange: () => undefined } };
  await expect(keepSnapshot(older, sample)).rejects.toThrow(
    "snapshot.failed: expected a kind that this version makes, found firewall.apply",
  );
});

test("a section that nobody can have accepted is damage", async () => {
  const { deps } = new RestoredHost();
  const accepted = { ...sampleAccepted, section: {} };
  await expect(keepSnapshot(deps, { task: sampleTask, accepted })).rejects.toThrow(/^journal\.unsound/);
});

test("a copy that the host's own programs would not take proves nothing", async () => {
  const host = new RestoredHost();
  await keepSnapshot(host.deps, sample);
  host.before.prove = () => {
    throw fault("snapshot.unprovable", "nft ended with 1");
  };
  await expect(proveSnapshot(host.deps, sampleTask)).rejects.toThrow("snapshot.unprovable: nft ended with 1");
});

test("not one byte of a snapshot can be another, and no file can be missing", async () => {
  const { deps, vfs } = new RestoredHost();
  await keepSnapshot(deps, sample);
  const files = [...vfs.contents()].filter(([path]) => path.startsWith(directory));
  const readWith = (changed: Iterable<readonly [string, Uint8Array]>) =>
    readSnapshot({ paths, vfs: faultyVfs({ files: new Map(changed) }) }, sampleTask);
  for (const [path, bytes] of files) {
    const others = files.filter(([other]) => other !== path);
    await expect(readWith(others), path).rejects.toThrow(/^snapshot\.unprovable/);
    for (let at = 0; at < bytes.byteLength; at += 3) {
      const changed = bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));
      await expect(readWith([...others, [path, changed]]), `${path} ${at}`).rejects.toThrow(/^snapshot\.unprovable/);
    }
  }
});

test("the snapshot of another task is not this one's", async () => {
  const { deps, vfs } = new RestoredHost();
  await keepSnapshot(deps, sample);
  const manifest = vfs.contents().get(`${directory}/manifest.json`) as Uint8Array;
  const files = new Map([[`${paths.snapshots}/${otherTask}/manifest.json`, manifest]]);
  await expect(readSnapshot({ paths, vfs: faultyVfs({ files }) }, otherTask)).rejects.toThrow(
    /manifest\.json is not as it was written$/,
  );
});

test("one that is dropped leaves nothing, and may be dropped again", async () => {
  const { deps, vfs } = new RestoredHost();
  await keepSnapshot(deps, sample);
  await dropSnapshot(deps, sampleTask);
  expect(await listIn(vfs, paths.snapshots)).toEqual([]);
  await dropSnapshot(deps, sampleTask);
});

test("a directory that cannot be listed is not one that is empty", async () => {
  const { vfs } = new RestoredHost();
  const broken = { ...vfs, list: () => Promise.reject(new Error("EIO")) };
  await expect(listIn(broken, directory)).rejects.toThrow("EIO");
});
