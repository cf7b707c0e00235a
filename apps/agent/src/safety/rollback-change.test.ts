import { fault } from "@gatehouse/contract/faults";
import { expect, test } from "vitest";
import {
  cannotRestore,
  endOfSample,
  RestoredHost,
  hostAfter,
  hostBefore,
  paths,
  sampleParts,
} from "../../test/restored-host.ts";
import { playChange } from "../../test/play-change.ts";
import { sampleTask } from "./journal-cases.ts";
import { type RollbackDeps, rollbackChange } from "./rollback-change.ts";
import { runDeadman } from "./run-deadman.ts";
import { listIn } from "./snapshot-files.ts";

/** With a unit that does its work while root waits. */
function depsOf(host: RestoredHost, unit: () => Promise<unknown> = () => runDeadman(host.deps, sampleTask)) {
  let fired = 0;
  host.deadman.fire = async () => {
    fired += 1;
  };
  const pause = async () => {
    if (fired > 0) await unit().catch(() => undefined);
  };
  return { ...host.deps, pause } satisfies RollbackDeps;
}

test.each(["accepted", "snapshotted", "armed"] as const)(
  "before anything is changed, %s, it just ends",
  async (state) => {
    const host = new RestoredHost();
    await playChange(host, state);
    expect(await rollbackChange(depsOf(host))).toEqual({
      ok: true,
      lines: [`The change ${sampleTask} has ended before it changed anything.`],
      json: { changes: [{ task: sampleTask, outcome: "failed_before_change" }], damage: null },
    });
    expect(await endOfSample(host)).toMatchObject({ outcome: "failed_before_change", code: "rollback.asked" });
    expect(await listIn(host.vfs, paths.snapshots)).toEqual([]);
    expect(host.ran).toEqual(["stop"]);
  },
);

test.each(["applying", "checking"] as const)(
  "while it is %s, the unit takes it back, and root is told",
  async (state) => {
    const host = new RestoredHost();
    await playChange(host, state);
    expect(await rollbackChange(depsOf(host))).toMatchObject({
      ok: true,
      lines: [`The change ${sampleTask} is taken back. This host is as it was before.`],
    });
    expect(await endOfSample(host)).toMatchObject({ outcome: "rolled_back", code: "rollback.asked" });
    expect(host.lines).toContain(`${sampleTask}: restoring, 1 begun`);
  },
);

test("what was confirmed already stays, and root is told so", async () => {
  const host = new RestoredHost();
  await playChange(host, "confirmed");
  expect(await rollbackChange(depsOf(host))).toMatchObject({
    ok: false,
    lines: [`The change ${sampleTask} was confirmed before it could be taken back.`],
  });
  expect(host.now()).toEqual(hostAfter);
});

test("a host that cannot be put back is told as that, and a later word tries again", async () => {
  const host = new RestoredHost();
  await playChange(host, "checking");
  host.before.restore = cannotRestore;
  expect(await rollbackChange(depsOf(host))).toMatchObject({
    ok: false,
    lines: [expect.stringContaining("half changed")],
  });
  await expect(rollbackChange(depsOf(host))).rejects.toThrow(/^restore\.failed/);
  delete host.before.restore;
  expect((await rollbackChange(depsOf(host))).ok).toBe(true);
  expect(host.now()).toEqual(hostBefore);
  expect(await rollbackChange(depsOf(host))).toMatchObject({ ok: true, lines: ["No change is open."] });
});

test("without systemd root's own process does the same", async () => {
  const host = new RestoredHost();
  await playChange(host, "checking");
  const deps = depsOf(host);
  host.deadman.fire = () => Promise.reject(new Error("no bus"));
  expect((await rollbackChange(deps)).ok).toBe(true);
  expect(host.now()).toEqual(hostBefore);
  expect(host.lines).toContain("the unit that takes a change back could not be started: no bus");
});

test("a unit that never ends is not waited for", async () => {
  const host = new RestoredHost();
  await playChange(host, "checking");
  const never = depsOf(host, async () => undefined);
  await expect(rollbackChange(never)).rejects.toThrow(/^restore\.failed: expected the end of .* within 180 seconds/);
});

test("a helper that writes at the same moment is looked at anew; one that never stops is not fought with", async () => {
  const host = new RestoredHost();
  const journal = await playChange(host, "armed");
  const stale = await journal.look();
  await journal.append(sampleTask, "applying", {});
  host.put(sampleParts.file, hostAfter[sampleParts.file]);
  let looks = 0;
  const late = (staleLooks: number) => ({
    ...depsOf(host),
    openJournal: async () => {
      const kept = await host.openJournal();
      const honest = kept.look.bind(kept);
      return Object.assign(kept, { look: async () => ((looks += 1) <= staleLooks ? stale : honest()) });
    },
  });
  await expect(rollbackChange(late(99))).rejects.toThrow(/^journal\.move/);
  expect(looks).toBe(5);
  looks = 0;
  expect((await rollbackChange(late(1))).ok).toBe(true);
  expect(host.now()).toEqual(hostBefore);
});

test("a damaged journal does not keep root from it, and is told; one that is held does", async () => {
  const host = new RestoredHost();
  await playChange(host, "checking");
  const mark = await host.vfs.open(`${paths.journal}/mark`, "write");
  await mark.truncate(0);
  expect((await rollbackChange(depsOf(host))).ok).toBe(false);
  expect(host.now()).toEqual(hostBefore);
  const openJournal = () => Promise.reject(fault("journal.locked", "by another"));
  await expect(rollbackChange({ ...depsOf(host), openJournal })).rejects.toThrow("journal.locked: by another");
});
