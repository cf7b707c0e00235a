import { fault } from "@gatehouse/contract/faults";
import type { OperationKind } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { cannotRestore, endOfSample, hostBefore, paths, RestoredHost, sampleParts } from "../../test/restored-host.ts";
import { playChange } from "../../test/play-change.ts";
import type { HostChange } from "../operations/host-operation.ts";
import type { ChangeDeps } from "./change.ts";
import { sampleTask } from "./journal-cases.ts";
import { settleOpenChange } from "./settle-change.ts";
import { listIn } from "./snapshot-files.ts";

/** The first operation of the sample stands for one that uses what the others put back; or all of those kinds do. */
async function hostWithLast(kinds: readonly OperationKind[] = ["firewall.apply"]) {
  const host = new RestoredHost();
  await playChange(host, "checking");
  const restored: string[] = [];
  host.before.restore = (subject) => void restored.push(subject);
  const { deps } = host;
  const findChange = (kind: OperationKind) => {
    const change = deps.host.findChange(kind);
    return kinds.includes(kind) && change !== undefined ? { ...change, isRestoredLast: true as const } : change;
  };
  const used: ChangeDeps = { ...deps, host: { ...deps.host, findChange } };
  return { host, restored, deps: used };
}

test("what uses the parts that are put back comes after all of them", async () => {
  const { restored, deps } = await hostWithLast();
  await settleOpenChange(deps, { isBoot: false });
  expect(restored).toEqual([sampleParts.newFile, sampleParts.file, sampleParts.table]);
});

test("a service that stays down ends the change as failed, with all else put back and nothing left to try", async () => {
  const { host, deps } = await hostWithLast();
  host.before.restore = (subject) => {
    if (subject !== sampleParts.table) return;
    host.put(subject, "accept");
    throw fault("service.down", "web.service: it said\nno such file");
  };
  const settled = await settleOpenChange(deps, { isBoot: false });
  expect(settled.changes).toEqual([{ task: sampleTask, outcome: "failed_after_change" }]);
  expect(await endOfSample(host)).toMatchObject({
    outcome: "failed_after_change",
    code: "service.down",
    detail: "web.service: it said\nno such file",
  });
  expect(host.now()).toMatchObject({ [sampleParts.file]: hostBefore[sampleParts.file] });
  expect(await listIn(host.vfs, paths.snapshots)).toEqual([]);
});

test("what somebody else made of a service's own unit is told, and keeps nothing from being back", async () => {
  const { host, restored, deps } = await hostWithLast();
  host.before.restore = (subject) => {
    restored.push(subject);
    // Nothing of ours puts that back: it would be another one at every try.
    if (subject === sampleParts.table) throw fault("service.down", "web.service: it is down");
  };
  host.put(sampleParts.table, "by a package");
  await settleOpenChange(deps, { isBoot: false });
  expect(await endOfSample(host)).toMatchObject({ code: "service.down", foreign: [sampleParts.table] });
  expect(restored.filter((subject) => subject === sampleParts.table)).toHaveLength(1);
});

test("a unit that cannot be read at the end keeps nothing from being back either", async () => {
  const { host, deps } = await hostWithLast();
  const digestStates: ChangeDeps["host"]["digestStates"] = (subjects) => {
    if (subjects.includes(sampleParts.table)) throw fault("state.unreadable", "systemctl ended with 1");
    return deps.host.digestStates(subjects);
  };
  await settleOpenChange({ ...deps, host: { ...deps.host, digestStates } }, { isBoot: false });
  expect(await endOfSample(host)).toMatchObject({ outcome: "rolled_back", foreign: [] });
  expect(host.lines.join("\n")).toContain("firewall:gatehouse_edge");
});

test("while a part is not as it was, nothing that uses it is started", async () => {
  const { host, restored, deps } = await hostWithLast();
  const digestStates: ChangeDeps["host"]["digestStates"] = async (subjects) =>
    new Map([...(await deps.host.digestStates(subjects)), [sampleParts.file, "of another"]]);
  const settled = settleOpenChange({ ...deps, host: { ...deps.host, digestStates } }, { isBoot: false });
  await expect(settled).rejects.toThrow("restore.failed: file:/etc/motd: expected");
  expect(restored).not.toContain(sampleParts.table);
  expect(host.now()).toMatchObject({ [sampleParts.table]: "drop" });
});

test("services that take all the time leave the rest to be started without a look, within the unit's own time", async () => {
  const { host, deps } = await hostWithLast(["firewall.apply", "file.write"]);
  const hurried: (readonly [string, boolean | undefined])[] = [];
  const findChange = (kind: OperationKind) => {
    const change = deps.host.findChange(kind);
    if (change === undefined) return undefined;
    const restore: HostChange["restore"] = async (ground, target, copy) => {
      hurried.push([target, ground.isHurried]);
      host.uptimeMs += 45_000;
      await change.restore(ground, target, copy);
    };
    return { ...change, restore };
  };
  await settleOpenChange({ ...deps, host: { ...deps.host, findChange } }, { isBoot: false });
  expect(hurried).toEqual([
    ["gatehouse_edge", false],
    ["/etc/motd", true],
    ["/etc/new", true],
  ]);
});

test("a host that boots may have started a service before its files were back: it is told so, and what fails there is only said", async () => {
  const { host, deps } = await hostWithLast();
  const told: (boolean | undefined)[] = [];
  const findChange = (kind: OperationKind) => {
    const change = deps.host.findChange(kind);
    if (change?.isRestoredLast !== true) return change;
    const restore: HostChange["restore"] = async ({ isBoot }) => {
      told.push(isBoot);
      throw fault("service.down", "systemctl took too long");
    };
    return { ...change, restore };
  };
  await settleOpenChange({ ...deps, host: { ...deps.host, findChange } }, { isBoot: true });
  expect(told).toEqual([true]);
  expect(host.lines).toContain("firewall:gatehouse_edge: service.down: systemctl took too long");
  expect(await endOfSample(host)).toMatchObject({ outcome: "rolled_back", code: "change.interrupted" });
});

test.each<[number, readonly string[]]>([
  [0, []],
  [1, ["/etc/motd"]],
  [2, ["/etc/motd", "/etc/new"]],
])("after %i operations, no service is interrupted that the change has not come to", async (made, started) => {
  const host = new RestoredHost();
  const journal = await playChange(host, "armed");
  await journal.append(sampleTask, "applying", {});
  for (let operation = 0; operation < made; operation += 1)
    await journal.append(sampleTask, "applied-op", { operation });
  const { deps } = host;
  const restored: string[] = [];
  const findChange = (kind: OperationKind) => {
    const change = deps.host.findChange(kind);
    if (kind !== "file.write" || change === undefined) return change;
    const restore: HostChange["restore"] = async (ground, target, copy) => {
      restored.push(target);
      await change.restore(ground, target, copy);
    };
    return { ...change, restore, isRestoredLast: true as const };
  };
  await settleOpenChange({ ...deps, host: { ...deps.host, findChange } }, { isBoot: false });
  expect(restored).toEqual(started);
  expect(await endOfSample(host)).toMatchObject({ outcome: "rolled_back" });
});

test("a service of which nobody can say whether it is down leaves the change to be taken back again", async () => {
  const { host, deps } = await hostWithLast();
  host.before.restore = (subject) => {
    if (subject === sampleParts.table) throw new Error("no bus");
  };
  await expect(settleOpenChange(deps, { isBoot: false })).rejects.toThrow("restore.failed: no bus");
  expect(host.now()).toMatchObject({ [sampleParts.file]: hostBefore[sampleParts.file] });
  expect(await endOfSample(host)).toBeUndefined();
  delete host.before.restore;
  await settleOpenChange(deps, { isBoot: false });
  expect(await endOfSample(host)).toMatchObject({ outcome: "rolled_back" });
});

test("every service that stays down is told, and none keeps the next from being started", async () => {
  const { host, deps } = await hostWithLast(["file.write"]);
  const tried: string[] = [];
  host.before.restore = (subject) => {
    if (subject === sampleParts.table) return;
    tried.push(subject);
    host.put(subject, hostBefore[subject]);
    throw fault("service.down", `${subject} is down`);
  };
  await settleOpenChange(deps, { isBoot: false });
  // In the order of the change, and not in the one in which parts are put back.
  expect(tried).toEqual([sampleParts.file, sampleParts.newFile]);
  expect(await endOfSample(host)).toMatchObject({
    code: "service.down",
    detail: "file:/etc/motd is down; file:/etc/new is down",
  });
});

type HostWithLast = Awaited<ReturnType<typeof hostWithLast>>;

test.each<[string, (host: HostWithLast) => Promise<void>]>([
  [
    "the change has ended before",
    async ({ host, deps }) => {
      host.before.restore = cannotRestore;
      while ((await endOfSample(host)) === undefined)
        await expect(settleOpenChange(deps, { isBoot: false })).rejects.toThrow("restore.failed");
    },
  ],
  [
    "the journal cannot be asked",
    async ({ host }) => (await host.vfs.open(`${paths.journal}/mark`, "write")).truncate(0),
  ],
])("a service that stays down is told also where %s", async (_, meet) => {
  const made = await hostWithLast();
  await meet(made);
  const { host, deps } = made;
  host.before.restore = (subject) => {
    if (subject !== sampleParts.table) return;
    host.put(subject, "accept");
    throw fault("service.down", "web.service: it said\nno such file");
  };
  const { changes } = await settleOpenChange(deps, { isBoot: false });
  expect(changes).toEqual([{ task: sampleTask, outcome: "failed_after_change" }]);
  expect(host.lines).toContain(`${sampleParts.table} stays down: web.service: it said; no such file`);
});
