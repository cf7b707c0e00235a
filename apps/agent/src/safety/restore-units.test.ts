import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemClock } from "@gatehouse/base";
import { nodeVfs } from "@gatehouse/files";
import { type Operation, type OperationKind, planSection, subjectOf } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { makeHostDirectory } from "../../test/host-directory.ts";
import type { HostRun, RunOnHost } from "../host/run-on-host.ts";
import { digestStates } from "../operations/digest-states.ts";
import type { HostChange } from "../operations/host-operation.ts";
import { findHostChange } from "../operations/host-operations.ts";
import { bootHost } from "./boot-host.ts";
import type { ChangeDeps } from "./change.ts";
import { sampleData, sampleTask } from "./journal-cases.ts";
import type { JournalDataOf } from "./journal-record.ts";
import { keepSnapshot } from "./keep-snapshot.ts";
import { openJournal } from "./open-journal.ts";
import { settleOpenChange } from "./settle-change.ts";
import { changeGroundOf } from "./snapshot-files.ts";

const places = { unit: "/etc/systemd/system/web.service", settings: "/etc/web.conf" } as const;
const restart: Operation = { kind: "service.restart", unit: "web.service" };
const write = (path: string): Operation => ({
  kind: "file.write",
  path,
  text: `new ${path}\n`,
  mode: "0644",
  owner: "me",
  group: "us",
});

const good: HostRun = { code: 0, stdout: "", stderr: "" };
const shown = [
  "LoadState=loaded",
  "ActiveState=active",
  `FragmentPath=${places.unit}`,
  "UnitFileState=enabled",
  "InvocationID=one",
  // As systemd says it of a unit file that is older than the one it has read.
  "NeedDaemonReload=no",
].join("\n");

/** As the host makes it, but for the time in which a service is watched. */
function changeAtOnce(kind: OperationKind): HostChange | undefined {
  const change = findHostChange(kind);
  if (change === undefined) return undefined;
  const pause = async () => undefined;
  return {
    ...change,
    apply: (ground, operation) => change.apply({ ...ground, pause }, operation),
    restore: (ground, target, copy) => change.restore({ ...ground, pause }, target, copy),
  };
}

/** A host with real files, on which a change of these operations was made and is open. Its systemd runs what it has read. */
async function changedHost(operations: readonly Operation[]) {
  const { root, owner, paths } = makeHostDirectory();
  const at = (path: string) => join(root, path);
  const { gid } = statSync(root);
  for (const directory of [dirname(places.unit), "/var/lib/gatehouse"]) mkdirSync(at(directory), { recursive: true });
  writeFileSync(at("/etc/passwd"), `me:x:${owner}:${gid}::/:/bin/sh\n`);
  writeFileSync(at("/etc/group"), `us:x:${gid}:\n`);
  for (const path of Object.values(places)) writeFileSync(at(path), `old ${path}\n`);
  const hold = (path: string) => readFileSync(at(path), "utf8").split(" ")[0];
  const held = () => ({ unit: hold(places.unit), settings: hold(places.settings) });
  const systemd = { has: hold(places.unit), did: [] as string[], answers: new Map<string, HostRun>() };
  const run: RunOnHost = async (_program, [verb = ""]) => {
    if (verb === "show") return { ...good, stdout: `${shown}\n` };
    const answer = systemd.answers.get(verb) ?? good;
    if (verb === "daemon-reload" && answer.code === 0) systemd.has = hold(places.unit);
    systemd.did.push(
      verb === "restart" ? `restart with the ${systemd.has} unit and ${held().settings} settings` : verb,
    );
    return answer;
  };
  const lines: string[] = [];
  const deps: ChangeDeps = {
    paths,
    owner,
    run,
    vfs: nodeVfs,
    clock: systemClock,
    findUptime: () => ({ boot: "boot", ms: 1_000 }),
    openJournal: () =>
      openJournal({
        vfs: nodeVfs,
        directory: paths.journal,
        withLock: (act) => act(),
        now: () => 1_800_000_000_000,
        uptimeMs: () => 1_000,
        boot: "boot",
      }),
    deadman: {
      check: async () => undefined,
      arm: async () => ({ deadlineMs: 90_000 }),
      fire: async () => undefined,
      stop: async () => undefined,
    },
    host: {
      findChange: changeAtOnce,
      findReading: () => undefined,
      digestStates: (subjects) => digestStates({ root, run, privateKey: new Uint8Array(32) }, subjects),
      keepForBoot: async () => undefined,
      loadKept: async () => ({ loaded: [], failed: [], ignored: [] }),
    },
    log: (line) => void lines.push(line),
  };
  await leaveOpen(deps, operations);
  systemd.has = "new";
  systemd.did.length = 0;
  return { deps, lines, systemd, held };
}

async function leaveOpen(deps: ChangeDeps, operations: readonly Operation[]): Promise<void> {
  const subjects = operations.map((operation) => subjectOf(operation) as string).toSorted();
  const states = await deps.host.digestStates(subjects);
  const section = planSection.parse({
    node: `node_${"0".repeat(26)}`,
    operations,
    preconditions: subjects.map((subject) => ({ subject, state: states.get(subject) })),
  }) as unknown as JournalDataOf<"accepted">["section"];
  const accepted = { ...sampleData.accepted, section };
  const journal = await deps.openJournal();
  await journal.append(sampleTask, "accepted", accepted);
  const copies = await keepSnapshot(deps, { task: sampleTask, accepted });
  await journal.append(sampleTask, "snapshotted", { copies });
  await journal.append(sampleTask, "armed", { deadlineMs: 90_000 });
  await journal.append(sampleTask, "applying", {});
  const ground = changeGroundOf(deps, sampleTask);
  for (const [at, operation] of operations.entries()) {
    await changeAtOnce(operation.kind)?.apply(ground, operation);
    await journal.append(sampleTask, "applied-op", { operation: at });
  }
}

const old = { unit: "old", settings: "old" };
const rolledBack = { changes: [{ task: sampleTask, outcome: "rolled_back" }] };

test("at boot files are put back, systemd reads them again, and a service that it has started already is started anew", async () => {
  const { deps, lines, systemd, held } = await changedHost([write(places.unit), write(places.settings), restart]);
  expect(held()).toEqual({ unit: "new", settings: "new" });
  expect(await bootHost(deps)).toMatchObject({ ok: true, json: rolledBack });
  expect([held(), systemd.has, systemd.did, lines]).toEqual([old, "old", ["daemon-reload", "try-restart"], []]);
});

test("at boot a systemd that does not read its files again is told of, and keeps nothing from being put back", async () => {
  const { deps, lines, systemd, held } = await changedHost([write(places.unit), restart]);
  systemd.answers.set("daemon-reload", { code: 1, stdout: "", stderr: "Access denied\n" });
  expect(await bootHost(deps)).toMatchObject({ ok: true, json: rolledBack });
  expect(held()).toEqual(old);
  expect(lines).toEqual(["systemd did not read its files again: systemctl ended with 1 and said: Access denied"]);
});

test("at boot systemd need not read its files where none of them is put back", async () => {
  const { deps, systemd, held } = await changedHost([write(places.settings), restart]);
  expect(await bootHost(deps)).toMatchObject({ ok: true, json: rolledBack });
  expect([held(), systemd.did]).toEqual([old, ["try-restart"]]);
});

test("a service is started once more with the unit file that was put back, though it is older than the one systemd knows", async () => {
  const { deps, systemd, held } = await changedHost([write(places.unit), write(places.settings), restart]);
  expect(await settleOpenChange(deps, { isBoot: false })).toMatchObject(rolledBack);
  expect(held()).toEqual(old);
  expect(systemd.did).toEqual(["daemon-reload", "reset-failed", "restart with the old unit and old settings"]);
});

test("a unit file that was put back is the one that systemd has, also where no service was restarted", async () => {
  const { deps, systemd } = await changedHost([write(places.unit)]);
  expect(await settleOpenChange(deps, { isBoot: false })).toMatchObject(rolledBack);
  expect([systemd.has, systemd.did]).toEqual(["old", ["daemon-reload"]]);
});

test("a change is not taken back while systemd still has its unit file", async () => {
  const { deps, systemd, held } = await changedHost([write(places.unit), restart]);
  systemd.answers.set("daemon-reload", { code: 1, stdout: "", stderr: "Access denied\n" });
  await expect(settleOpenChange(deps, { isBoot: false })).rejects.toThrow(
    "restore.failed: systemd did not read its files again: systemctl ended with 1 and said: Access denied",
  );
  expect([held().unit, systemd.did]).toEqual(["old", ["daemon-reload"]]);
  systemd.answers.clear();
  expect(await settleOpenChange(deps, { isBoot: false })).toMatchObject(rolledBack);
  expect(systemd.has).toBe("old");
});
