import { fault } from "@gatehouse/contract/faults";
import { expect, test } from "vitest";
import { endOfSample, RestoredHost, hostAfter, hostBefore, paths, cannotRestore } from "../../test/restored-host.ts";
import { playChange } from "../../test/play-change.ts";
import { otherTask, sampleTask } from "./journal-cases.ts";
import { checkDeadman, runDeadman } from "./run-deadman.ts";

const kill = "systemctl kill --signal=KILL gatehouse-helper.service";
const stop = "systemctl stop gatehouse-deadman.timer";

test("it ends the helper, puts everything back, and stops the timer but not itself", async () => {
  const host = new RestoredHost({ uptimeMs: 90_000 });
  await playChange(host, "checking");
  expect(await runDeadman(host.deps, sampleTask)).toEqual({
    ok: true,
    lines: [`The change ${sampleTask} has ended: rolled_back.`],
    json: { changes: [{ task: sampleTask, outcome: "rolled_back" }], damage: null },
  });
  expect(host.now()).toEqual(hostBefore);
  expect(await endOfSample(host)).toMatchObject({ code: "confirm.late" });
  expect(host.ran).toEqual([kill, stop, stop]);
});

test("what was confirmed meanwhile stays, and what has ended is left alone", async () => {
  const host = new RestoredHost();
  await playChange(host, "confirmed");
  await runDeadman(host.deps, sampleTask);
  expect(host.now()).toEqual(hostAfter);
  expect((await runDeadman(host.deps, sampleTask)).lines).toEqual([`The change ${sampleTask} has ended before.`]);
});

test("another task than the open one is nothing to take back", async () => {
  const host = new RestoredHost();
  await playChange(host, "checking");
  await expect(runDeadman(host.deps, otherTask)).rejects.toThrow(/^deadman\.nothing/);
  expect(host.now()).toEqual(hostAfter);
  expect(host.ran, "the helper is at the open one, and goes on").not.toContain(kill);
});

test("a journal that cannot be read leaves it open whom the helper is at: it is ended", async () => {
  const host = new RestoredHost();
  await playChange(host, "checking");
  const openJournal = () => Promise.reject(fault("journal.unsound", "expected a record, found other bytes"));
  await runDeadman({ ...host.deps, openJournal }, sampleTask);
  expect(host.ran).toContain(kill);
  expect(host.now()).toEqual(hostBefore);
});

test("a helper that is not there needs no word; one that cannot be ended does not keep the host from being put back", async () => {
  for (const [stderr, lines] of [
    ["Unit gatehouse-helper.service not loaded.", 0],
    ["Connection refused", 1],
  ] as const) {
    const host = new RestoredHost();
    await playChange(host, "checking");
    host.answer = { code: 1, stdout: "", stderr };
    await runDeadman(host.deps, sampleTask);
    expect(host.lines).toHaveLength(lines);
    expect(host.now()).toEqual(hostBefore);
  }
});

test("programs that never answer leave it the time to put the host back", async () => {
  const host = new RestoredHost();
  await playChange(host, "checking");
  const { deps } = host;
  const waited: (number | undefined)[] = [];
  let reads = 0;
  const hung = {
    ...deps,
    run: async (_: string, __: readonly string[], mostMs?: number) => {
      waited.push(mostMs);
      return { code: null, stdout: "", stderr: "", cut: "time" as const };
    },
    host: {
      ...deps.host,
      digestStates: (subjects: readonly string[]) => {
        reads += 1;
        // What is there now cannot be read; what was put back can.
        if (host.now()["file:/etc/new"] !== undefined) throw fault("read.limit", "nft took too long");
        return deps.host.digestStates(subjects);
      },
    },
  };
  await runDeadman(hung, sampleTask);
  expect(host.now()).toEqual(hostBefore);
  expect(reads, "one try for what somebody else may have changed, one for what was put back").toBe(2);
  expect(waited).toEqual([10_000, 10_000, 10_000]);
});

test("a change that was told as failed is tried again without ending the helper, which tells of it", async () => {
  const host = new RestoredHost();
  await playChange(host, "checking");
  host.before.restore = cannotRestore;
  for (let attempt = 0; attempt < 3; attempt += 1) await expect(runDeadman(host.deps, sampleTask)).rejects.toThrow();
  host.ran.length = 0;
  await expect(runDeadman(host.deps, sampleTask)).rejects.toThrow(/^restore\.failed/);
  delete host.before.restore;
  await runDeadman(host.deps, sampleTask);
  expect(host.ran).toEqual([stop]);
  expect(host.now()).toEqual(hostBefore);
});

test("a damaged journal is told, and is no failure that trying again would mend", async () => {
  const host = new RestoredHost();
  await playChange(host, "checking");
  const mark = await host.vfs.open(`${paths.journal}/mark`, "write");
  await mark.truncate(0);
  const { ok, lines } = await runDeadman(host.deps, sampleTask);
  expect({ ok, lines }).toEqual({
    ok: true,
    lines: [`The change ${sampleTask} has ended: rolled_back.`, expect.stringMatching(/^journal\.unsound/)],
  });
});

test("the trial of it opens everything and changes nothing", async () => {
  const host = new RestoredHost();
  await playChange(host, "snapshotted");
  const before = host.vfs.contents();
  expect((await checkDeadman(host.deps, sampleTask)).ok).toBe(true);
  expect(host.vfs.contents()).toEqual(before);
  expect(host.ran).toEqual([]);
  await expect(checkDeadman(host.deps, otherTask)).rejects.toThrow(`expected ${otherTask}, found ${sampleTask}`);
});

test("the trial fails without a change, without its snapshot, and with another one", async () => {
  const host = new RestoredHost();
  await expect(checkDeadman(host.deps, sampleTask)).rejects.toThrow(/^deadman\.nothing: .*found no open change$/);
  const journal = await playChange(host, "accepted");
  await expect(checkDeadman(host.deps, sampleTask)).rejects.toThrow('deadman.nothing: expected "snapshotted"');
  await journal.append(sampleTask, "snapshotted", { copies: [] });
  await expect(checkDeadman(host.deps, sampleTask)).rejects.toThrow(/^snapshot\.unprovable: .*found none$/);
  const other = new RestoredHost();
  await playChange(other, "snapshotted");
  const openJournal = async () => {
    const kept = await other.openJournal();
    const slot = await kept.look();
    return { ...kept, look: async () => slot && { ...slot, copies: [] } } as typeof kept;
  };
  await expect(checkDeadman({ ...other.deps, openJournal }, sampleTask)).rejects.toThrow(/^snapshot\.unprovable/);
});
