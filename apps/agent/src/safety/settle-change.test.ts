import { fault } from "@gatehouse/contract/faults";
import { faultyVfs } from "@gatehouse/files/faulty";
import { describe, expect, test } from "vitest";
import {
  cannotRestore,
  endOfSample,
  RestoredHost,
  hostAfter,
  hostBefore,
  paths,
  sampleAccepted,
  sampleParts,
} from "../../test/restored-host.ts";
import { playChange } from "../../test/play-change.ts";
import { otherTask, sampleTask } from "./journal-cases.ts";
import { keepSnapshot } from "./keep-snapshot.ts";
import { dropLeft, hasUnrestored } from "./left-snapshots.ts";
import type { Journal } from "./open-journal.ts";
import { settleOpenChange } from "./settle-change.ts";
import { hasManifest, isMarked, listIn } from "./snapshot-files.ts";

const running = { isBoot: false };
const settle = (host: RestoredHost, way: object = {}) => settleOpenChange(host.deps, { ...running, ...way });

type DiskFile = readonly [string, Uint8Array];

function hostWith(files: Iterable<DiskFile>, parts: Readonly<Record<string, string>>): RestoredHost {
  const directories = ["/var", "/var/lib", paths.helperState, paths.snapshots];
  return new RestoredHost({ vfs: faultyVfs({ files: new Map(files), directories }), parts });
}

/** The same disk, with files as somebody has changed them. */
function spoil(host: RestoredHost, change: (path: string, bytes: Uint8Array) => Uint8Array): RestoredHost {
  const files = [...host.vfs.contents()].map(([path, bytes]) => [path, change(path, bytes)] as const);
  return hostWith(files, host.now());
}

/** Root has removed the journal. */
function removeJournal(host: RestoredHost, parts: Readonly<Record<string, string>>): RestoredHost {
  return hostWith(
    [...host.vfs.contents()].filter(([path]) => !path.startsWith(paths.journal)),
    parts,
  );
}
const withoutJournal = (host: RestoredHost) =>
  spoil(host, (path, bytes) => (path === `${paths.journal}/mark` ? new Uint8Array() : bytes));

test.each(["accepted", "snapshotted", "armed"] as const)("a change that is %s ends without a trace", async (state) => {
  const host = new RestoredHost();
  await playChange(host, state);
  expect(await settle(host)).toEqual({ changes: [{ task: sampleTask, outcome: "failed_before_change" }] });
  expect(await endOfSample(host)).toMatchObject({ outcome: "failed_before_change", code: "change.interrupted" });
  expect(await listIn(host.vfs, paths.snapshots)).toEqual([]);
  expect(host.ran).toEqual(["stop"]);
});

test("a change that was confirmed is kept, and the next boot knows it", async () => {
  const host = new RestoredHost();
  await playChange(host, "confirmed");
  expect((await settle(host)).changes).toEqual([{ task: sampleTask, outcome: "applied" }]);
  expect(host.now()).toEqual(hostAfter);
  expect(new TextDecoder().decode(host.vfs.contents().get(`${paths.tables}/gatehouse_edge`))).toBe("drop");
});

describe("why a change was taken back", () => {
  test.each([
    ["checking", 89_000, "boot-1", "confirm.late"],
    ["checking", 88_999, "boot-1", "change.interrupted"],
    ["checking", 95_000, "boot-2", "change.interrupted"],
    ["applying", 95_000, "boot-1", "change.interrupted"],
  ] as const)("found %s at %i ms of %s: %s", async (state, uptimeMs, boot, code) => {
    const first = new RestoredHost();
    await playChange(first, state);
    const host = new RestoredHost({ vfs: first.vfs, parts: first.now(), boot, uptimeMs });
    expect((await settle(host)).changes).toEqual([{ task: sampleTask, outcome: "rolled_back" }]);
    expect(await endOfSample(host)).toMatchObject({ outcome: "rolled_back", code, foreign: [] });
    expect(host.now()).toEqual(hostBefore);
  });

  test("is what was said first", async () => {
    const host = new RestoredHost();
    const journal = await playChange(host, "checking");
    await journal.append(sampleTask, "restoring", { code: "check.failed", detail: "port 22 is closed" });
    await settle(host);
    expect(await endOfSample(host)).toMatchObject({ code: "check.failed", detail: "port 22 is closed" });
  });

  test("is not known without an uptime", async () => {
    const host = new RestoredHost();
    await playChange(host, "checking");
    await settleOpenChange({ ...host.deps, findUptime: () => undefined }, running);
    expect(await endOfSample(host)).toMatchObject({ code: "change.interrupted" });
  });
});

test("a change that begins while leftovers are looked for is its helper's, and keeps its snapshot", async () => {
  const host = new RestoredHost();
  const journal = await host.openJournal();
  let begins = 1;
  const raced: Journal = {
    look: async () => {
      const slot = await journal.look();
      if (begins-- > 0) await playChange(host, "checking");
      return slot;
    },
    append: (task, kind, data) => journal.append(task, kind, data),
    read: (after) => journal.read(after),
    applied: (after, take) => journal.applied(after, take),
    recent: (after) => journal.recent(after),
  };
  const deps = { ...host.deps, openJournal: async () => raced };
  expect(await settleOpenChange(deps, running)).toEqual({ changes: [] });
  expect(host.now()).toEqual(hostAfter);
  expect(await hasManifest(host.deps, sampleTask)).toBe(true);
});

test("parts are put back from the last to the first", async () => {
  const host = new RestoredHost();
  await playChange(host, "checking");
  const order: string[] = [];
  host.before.restore = (subject) => void order.push(subject);
  await settle(host);
  expect(order).toEqual([sampleParts.newFile, sampleParts.file, sampleParts.table]);
});

describe("a host that cannot be put back", () => {
  test("is tried three times, then told as failed, and tried until it works", async () => {
    const host = new RestoredHost();
    await playChange(host, "checking");
    host.before.restore = cannotRestore;
    for (const outcome of [undefined, undefined, "failed_after_change"]) {
      await expect(settle(host, { task: sampleTask })).rejects.toThrow("restore.failed: nft ended with 1");
      expect((await endOfSample(host))?.outcome).toBe(outcome);
    }
    expect(await endOfSample(host)).toMatchObject({ code: "restore.failed", detail: "nft ended with 1" });
    expect(host.lines.join("\n")).toContain("THIS HOST MAY BE HALF CHANGED");
    expect(await isMarked(host.deps, sampleTask, "unrestored")).toBe(true);
    expect(await hasUnrestored(host.deps)).toBe(true);
    await expect(settle(host, { task: sampleTask })).rejects.toThrow(/^restore\.failed/);
    delete host.before.restore;
    expect((await settle(host, { task: sampleTask })).changes).toEqual([{ task: sampleTask, outcome: "rolled_back" }]);
    expect(host.now()).toEqual(hostBefore);
    expect(await hasUnrestored(host.deps)).toBe(false);
    expect((await endOfSample(host))?.outcome).toBe("failed_after_change");
  });

  test("is one that is not as it was, whatever its programs say", async () => {
    const host = new RestoredHost();
    await playChange(host, "checking");
    const { deps } = host;
    const digestStates = async () => new Map([[sampleParts.file as string, "absent"]]);
    const way = { ...deps, host: { ...deps.host, digestStates } };
    await expect(settleOpenChange(way, running)).rejects.toThrow(
      /^restore\.failed: file:\/etc\/motd: expected .*absent$/,
    );
    const forgetful = { ...deps, host: { ...deps.host, digestStates: async () => new Map<string, string>() } };
    await expect(settleOpenChange(forgetful, running)).rejects.toThrow(/found nothing$/);
  });

  test("for want of a version that knows its operations, or of the copies, keeps what there is", async () => {
    const host = new RestoredHost();
    await playChange(host, "checking");
    const { deps } = host;
    const older = { ...deps, host: { ...deps.host, findChange: () => undefined } };
    await expect(settleOpenChange(older, running)).rejects.toThrow(
      "expected a kind that this version makes, found file.write",
    );
    const damaged = spoil(host, (path, bytes) => (path.endsWith("/copy-0") ? bytes.subarray(1) : bytes));
    await expect(settle(damaged)).rejects.toThrow(/^restore\.failed: snapshot\.unprovable: expected .*copy-0 with/);
    expect(await hasManifest(damaged.deps, sampleTask)).toBe(true);
  });

  test("whose programs throw what nobody expects is told in their words", async () => {
    const host = new RestoredHost();
    await playChange(host, "checking");
    host.before.restore = () => {
      throw new TypeError("no such thing");
    };
    await expect(settle(host)).rejects.toThrow("restore.failed: no such thing");
  });
});

describe("a journal that cannot be written", () => {
  test("does not keep the host from being put back, and the next try writes its end", async () => {
    const host = new RestoredHost();
    await playChange(host, "checking");
    host.vfs.failNext("sync", 1, "EIO");
    await expect(settle(host)).rejects.toThrow(/^journal\.write/);
    expect(host.now()).toEqual(hostBefore);
    expect(await endOfSample(host)).toBeUndefined();
    await settle(host);
    expect(await endOfSample(host)).toMatchObject({ outcome: "rolled_back" });
  });

  test("nor does one that takes no word of a try that failed", async () => {
    const host = new RestoredHost();
    await playChange(host, "checking");
    host.before.restore = () => {
      host.vfs.failNext("sync", 1, "EIO", "forever");
      return cannotRestore();
    };
    await expect(settle(host)).rejects.toThrow(/^restore\.failed/);
    expect(host.lines.at(-1)).toContain("could not be written down: journal.write");
  });

  test("because somebody else has confirmed the change is left alone", async () => {
    const host = new RestoredHost();
    const journal = await playChange(host, "checking");
    const stale = await journal.look();
    await journal.append(sampleTask, "confirmed", {});
    const late = Object.assign(journal, { look: async () => stale });
    const deps = { ...host.deps, openJournal: async () => late };
    await expect(settleOpenChange(deps, running)).rejects.toThrow(/^journal\.move/);
    expect(host.now()).toEqual(hostAfter);
  });
});

describe("a journal that is damaged", () => {
  test("does not keep the host from being put back, once", async () => {
    const first = new RestoredHost();
    await playChange(first, "checking");
    const host = withoutJournal(first);
    const { changes, damage } = await settle(host, { task: sampleTask });
    expect(changes).toEqual([{ task: sampleTask, outcome: "rolled_back" }]);
    expect(damage).toMatch(/^journal\.unsound/);
    expect(host.now()).toEqual(hostBefore);
    host.put(sampleParts.file, "what root wrote since");
    expect((await settle(host)).changes).toEqual([]);
    expect(host.now()[sampleParts.file]).toBe("what root wrote since");
    await expect(hasUnrestored(host.deps)).rejects.toThrow(/^journal\.unsound/);
  });

  test("and is removed leaves a snapshot that is put back", async () => {
    const first = new RestoredHost();
    await playChange(first, "checking");
    const host = removeJournal(first, first.now());
    expect((await settle(host, { task: sampleTask })).changes).toEqual([{ task: sampleTask, outcome: "rolled_back" }]);
    expect(host.now()).toEqual(hostBefore);
    expect(await listIn(host.vfs, paths.snapshots)).toEqual([]);
  });

  test("and is removed after the snapshot was put back without it: nothing is put back twice", async () => {
    const first = new RestoredHost();
    await playChange(first, "checking");
    const damaged = withoutJournal(first);
    await settle(damaged);
    const host = removeJournal(damaged, { [sampleParts.file]: "later words" });
    expect(await listIn(host.vfs, paths.snapshots)).toEqual([sampleTask]);
    expect((await settle(host)).changes).toEqual([]);
    expect(host.now()).toEqual({ [sampleParts.file]: "later words" });
    expect(await listIn(host.vfs, paths.snapshots)).toEqual([]);
  });

  test("that could not be opened this once is asked again, and the host is put back meanwhile", async () => {
    const host = new RestoredHost();
    await playChange(host, "checking");
    const openJournal = () => Promise.reject(fault("journal.write", "no space"));
    await expect(settleOpenChange({ ...host.deps, openJournal }, running)).rejects.toThrow("journal.write: no space");
    expect(host.now()).toEqual(hostBefore);
    await settle(host);
    expect(await endOfSample(host)).toMatchObject({ outcome: "rolled_back" });
  });
});

describe("what somebody else had changed meanwhile", () => {
  const foreignOf = (host: RestoredHost) =>
    new Map(
      [...host.vfs.contents()]
        .filter(([path]) => path.startsWith(`${paths.foreign}/${sampleTask}/`))
        .map(([path, bytes]) => [path.slice(-1), new TextDecoder().decode(bytes)]),
    );

  test("is kept before it is replaced, and told", async () => {
    const host = new RestoredHost();
    await playChange(host, "checking");
    host.put(sampleParts.file, "somebody's words");
    host.put(sampleParts.newFile, undefined);
    host.put(sampleParts.table, undefined);
    await settle(host);
    expect(host.now()).toEqual(hostBefore);
    // The new file is as it was before the change: nobody's work is in it.
    expect(foreignOf(host)).toEqual(
      new Map([
        ["0", ""],
        ["1", "somebody's words"],
      ]),
    );
    expect((await endOfSample(host))?.foreign).toEqual([sampleParts.table, sampleParts.file]);
  });

  test("is told although an earlier try has replaced it already, and what was kept first stays", async () => {
    const host = new RestoredHost();
    await playChange(host, "checking");
    host.put(sampleParts.file, "somebody's words");
    host.before.restore = (subject) => (subject === sampleParts.table ? cannotRestore() : undefined);
    await expect(settle(host)).rejects.toThrow(/^restore\.failed/);
    expect(host.now()[sampleParts.file]).toBe("old words");
    host.put(sampleParts.file, "again");
    delete host.before.restore;
    await settle(host);
    expect(foreignOf(host)).toEqual(new Map([["1", "somebody's words"]]));
    expect((await endOfSample(host))?.foreign).toEqual([sampleParts.file]);
  });

  test("is no reason to leave the host as it is, where it cannot be kept", async () => {
    const host = new RestoredHost();
    await playChange(host, "checking");
    host.put(sampleParts.file, "somebody's words");
    host.before.snapshot = () => {
      throw new Error("no space");
    };
    await settle(host);
    expect(host.now()).toEqual(hostBefore);
    expect(host.lines).toContain(`${sampleParts.file}: what somebody else may have changed is not kept: no space`);
    expect((await endOfSample(host))?.foreign).toEqual([sampleParts.file]);
  });

  test("is not asked at boot, where the kernel has forgotten everything", async () => {
    const first = new RestoredHost();
    await playChange(first, "checking");
    const host = first.rebooted(first.vfs, first.vfs.ops);
    await settle(host, { isBoot: true });
    expect(await endOfSample(host)).toMatchObject({ outcome: "rolled_back", foreign: [] });
  });
});

describe("a task that is not the open one", () => {
  test("is nothing to take back, and touches nothing", async () => {
    const host = new RestoredHost();
    await expect(settle(host, { task: sampleTask })).rejects.toThrow(/^deadman\.nothing/);
    await playChange(host, "checking");
    await expect(settle(host, { task: otherTask })).rejects.toThrow(
      `deadman.nothing: expected ${otherTask}, found ${sampleTask} open`,
    );
    expect(host.now()).toEqual(hostAfter);
    await settle(host);
    await expect(settle(host, { task: otherTask })).rejects.toThrow(/^deadman\.nothing/);
    expect(await settle(host, { task: sampleTask })).toEqual({ changes: [] });
  });
});

test("a snapshot that outlived the end of its change goes, and so does one without a manifest", async () => {
  const host = new RestoredHost();
  await playChange(host, "checking");
  const kept = host.vfs.contents();
  await settle(host);
  const left = [...kept].filter(([path]) => path.startsWith(paths.snapshots));
  const unfinished = [`${paths.snapshots}/${otherTask}/copy-0`, new Uint8Array([1])] as const;
  const later = hostWith([...host.vfs.contents(), ...left, unfinished], { [sampleParts.file]: "later words" });
  expect(await listIn(later.vfs, paths.snapshots)).toEqual([sampleTask, otherTask]);
  expect(await hasUnrestored(later.deps)).toBe(false);
  expect(await settle(later)).toEqual({ changes: [] });
  expect(await listIn(later.vfs, paths.snapshots)).toEqual([]);
  expect(later.now()).toEqual({ [sampleParts.file]: "later words" });
});

test("what outlived the end of its change goes before the next is made; what could not be put back stays", async () => {
  const next = { task: otherTask, accepted: sampleAccepted };
  const first = new RestoredHost();
  await playChange(first, "checking");
  const kept = [...first.vfs.contents()].filter(([path]) => path.startsWith(paths.snapshots));
  await settle(first);
  const host = hostWith([...first.vfs.contents(), ...kept], hostBefore);
  await keepSnapshot(host.deps, next);
  expect(await listIn(host.vfs, paths.snapshots)).toEqual([otherTask]);
  const failed = new RestoredHost();
  await playChange(failed, "checking");
  failed.before.restore = cannotRestore;
  for (let attempt = 0; attempt < 3; attempt += 1) await expect(settle(failed)).rejects.toThrow();
  await keepSnapshot(failed.deps, next);
  expect(await listIn(failed.vfs, paths.snapshots)).toEqual([sampleTask, otherTask]);
});

test("whoever finds no change open drops what is left of those that have ended, and nothing of one that failed or is open", async () => {
  const ended = new RestoredHost();
  await playChange(ended, "checking");
  const kept = [...ended.vfs.contents()].filter(([path]) => path.startsWith(paths.snapshots));
  await settle(ended);
  const unfinished = [`${paths.snapshots}/${otherTask}/copy-0`, new Uint8Array([1])] as const;
  const host = hostWith([...ended.vfs.contents(), ...kept, unfinished], hostBefore);
  await dropLeft(host.deps);
  expect(await listIn(host.vfs, paths.snapshots)).toEqual([]);
  await dropLeft(host.deps);
  const failed = new RestoredHost();
  await playChange(failed, "checking");
  await dropLeft(failed.deps);
  expect(await listIn(failed.vfs, paths.snapshots), "open").toEqual([sampleTask]);
  failed.before.restore = cannotRestore;
  for (let attempt = 0; attempt < 3; attempt += 1) await expect(settle(failed)).rejects.toThrow();
  await dropLeft(failed.deps);
  expect(await listIn(failed.vfs, paths.snapshots), "failed").toEqual([sampleTask]);
});

test("a host that has never made a change is left as it is", async () => {
  const host = new RestoredHost();
  const { ops } = host.vfs;
  expect(await settle(host)).toEqual({ changes: [] });
  expect(await hasUnrestored(host.deps)).toBe(false);
  expect(host.vfs.ops).toBe(ops);
});
