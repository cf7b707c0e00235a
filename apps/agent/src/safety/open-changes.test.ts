import { fault } from "@gatehouse/contract/faults";
import { UnknownOutcome } from "@gatehouse/files";
import { describe, expect, test } from "vitest";
import {
  type ChangeCall,
  makeChangeBench,
  untilIdle,
  untilKinds,
  untilRestarted,
  windowSeconds,
} from "../../test/change-bench.ts";
import type { Changes } from "./open-changes.ts";
import { readUsed } from "../tasks/used.ts";

const restart = "systemctl restart --no-block gatehouse-agent.service";
const beforeTouching = ["validate", "validate", "keep", "prove", "check", "arm", "states"];
const upToProbe = [
  "accepted",
  "snapshotted",
  "armed",
  "applying",
  "applied-op",
  "applied-op",
  "checking",
  "probe",
] as const;

async function endOf(changes: Changes, task: string) {
  const found = await changes.find(task);
  return found?.ended?.end;
}

test("a change is accepted, made step by step, and asks for its proof; proved it is finished", async () => {
  const bench = await makeChangeBench();
  const { judged, calls } = bench;
  const changes = bench.open();
  expect(await changes.probe(), "nothing is to be proved").toBeUndefined();
  await changes.begin(judged);
  await untilRestarted(bench);
  expect(calls).toEqual([...beforeTouching, "apply", "apply", "isApplied", "isApplied", "ceiling", restart]);
  expect(await bench.kinds()).toEqual(upToProbe);
  expect(changes.isBusy()).toBe(true);
  expect(await changes.find(judged.task)).toEqual({ ended: undefined });
  const slot = await (await bench.openJournal()).look();
  expect((await changes.probe())?.toHex()).toBe(slot?.probe);
  expect(slot?.armed?.deadlineMs).toBe(bench.host.time.uptimeMs + windowSeconds * 1_000);
  await changes.prove(await bench.prove());
  await untilIdle(changes);
  expect(await bench.kinds()).toEqual([...upToProbe, "confirmed", "ended"]);
  expect(await endOf(changes, judged.task)).toMatchObject({ outcome: "applied", code: "" });
  expect(await changes.probe(), "proved").toBeUndefined();
  expect(bench.broken).toEqual([]);
});

test("of two operations on one part the last says what is to be found there", async () => {
  const bench = await makeChangeBench();
  const { node, operations, preconditions } = bench.judged.section;
  const [one] = operations as [(typeof operations)[number]];
  const section = { node, operations: [one, one], preconditions: preconditions.slice(0, 1) };
  await bench.open().begin({ ...bench.judged, section });
  await untilRestarted(bench);
  expect(bench.calls).toEqual([...beforeTouching, "apply", "apply", "isApplied", "ceiling", restart]);
});

test("a change of this very program is left to what was put in its place, with all that it needs written down", async () => {
  const bench = await makeChangeBench();
  bench.now.successor = "another";
  const changes = bench.open();
  await changes.begin(bench.judged);
  await expect.poll(() => bench.calls.at(-1), { interval: 1 }).toBe("successor");
  expect(bench.calls).toEqual([...beforeTouching, "apply", "apply", "successor"]);
  expect(await bench.kinds()).toEqual(upToProbe.slice(0, -1));
  expect(changes.isBusy(), "it stays until it is ended").toBe(true);
  expect(await changes.probe(), "nothing is asked for by who does not go on").toBeUndefined();
  await expect(changes.prove(await bench.prove())).rejects.toThrow(/^confirm\.proof/);
});

test("the approval is spent with the acceptance, and what was begun is told before it is made", async () => {
  const bench = await makeChangeBench();
  const { host, judged } = bench;
  const changes = bench.open("accepted");
  void changes.begin(judged);
  await untilKinds(bench, "accepted");
  expect(readUsed(host).isSpent(judged.approvalId)).toBe(true);
  expect(bench.calls).toEqual([]);
});

test("what this version cannot make is refused with nothing spent", async () => {
  const bench = await makeChangeBench();
  const { host, judged, now } = bench;
  const changes = bench.open();
  await expect(changes.begin({ ...judged, confirmation: "approver" })).rejects.toThrow(
    /^apply\.absent: .* approver's word/,
  );
  now.canMake = false;
  await expect(changes.begin(judged)).rejects.toThrow(/^apply\.absent: .*found firewall\.apply/);
  expect(readUsed(host).isSpent(judged.approvalId)).toBe(false);
  expect(await bench.kinds()).toEqual([]);
});

test("while one is open another is refused by its name, and the approval of the other is not spent", async () => {
  const bench = await makeChangeBench();
  const { host, judged } = bench;
  const changes = bench.open();
  await changes.begin(judged);
  await untilRestarted(bench);
  const other = { ...judged, task: `task_${"0".repeat(25)}8`, approvalId: "ef".repeat(16) };
  const busy = `slot.busy: expected no open change, found ${judged.task} at "checking"`;
  await expect(changes.find(other.task)).rejects.toThrow(busy);
  await expect(changes.begin(other)).rejects.toThrow(busy);
  expect(readUsed(host).isSpent(other.approvalId)).toBe(false);
  await changes.prove(await bench.prove());
  await untilIdle(changes);
  expect(await changes.find(other.task)).toBeUndefined();
  bench.now.hasUnrestored = true;
  await expect(changes.find(other.task)).rejects.toThrow(/^slot\.busy: .* could not be taken back/);
  await expect(changes.begin(other)).rejects.toThrow(/^slot\.busy/);
  expect(await endOf(changes, judged.task), "the one that has ended is told all the same").toMatchObject({
    outcome: "applied",
  });
});

test("a change that root has ended is let go of before the next one begins: its end would stop the timer of the next", async () => {
  const bench = await makeChangeBench();
  const { judged, before, calls } = bench;
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  before.set("snapshotted", () => {
    before.clear();
    reached.resolve();
    return gate.promise;
  });
  const changes = bench.open();
  await changes.begin(judged);
  await reached.promise;
  const { approvalId, planDigest, index } = judged;
  const why = { outcome: "failed_before_change" as const, code: "rollback.asked", detail: "", foreign: [] };
  await (await bench.openJournal()).append(judged.task, "ended", { approvalId, planDigest, index, ...why });
  const other = { ...judged, task: `task_${"0".repeat(25)}8`, approvalId: "ef".repeat(16) };
  const begun = changes.begin(other);
  await soon();
  expect(calls).not.toContain("arm");
  gate.resolve();
  await begun;
  await untilRestarted(bench);
  expect(calls.indexOf("end")).toBeLessThan(calls.indexOf("arm"));
});

test("an approval that was spent meanwhile begins nothing", async () => {
  const bench = await makeChangeBench();
  const changes = bench.open();
  await changes.begin(bench.judged);
  await untilRestarted(bench);
  await changes.prove(await bench.prove());
  await untilIdle(changes);
  await expect(changes.begin({ ...bench.judged, task: `task_${"0".repeat(25)}8` })).rejects.toThrow(/^use\.spent/);
});

/** Time enough for a change that does not wait to be made. */
async function soon(): Promise<void> {
  for (let turn = 0; turn < 2_000; turn += 1) await new Promise((done) => void setImmediate(done));
}

const odd = new TypeError("x is not a function");

describe("what fails before anything is touched ends the change, with its code", () => {
  test.each<[ChangeCall, unknown, string, number]>([
    ["validate", fault("validate.failed", "nft says no"), "validate.failed: nft says no", 1],
    ["validate", odd, "validate.failed: TypeError: x is not a function", 1],
    ["keep", fault("snapshot.failed", "no space"), "snapshot.failed: no space", 3],
    ["keep", odd, "snapshot.failed: TypeError: x is not a function", 3],
    ["prove", fault("snapshot.unprovable", "other"), "snapshot.unprovable: other", 4],
    ["prove", odd, "snapshot.unprovable: TypeError: x is not a function", 4],
    ["check", fault("deadman.check", "rc 1"), "deadman.check: rc 1", 5],
    ["check", odd, "deadman.check: TypeError: x is not a function", 5],
    ["arm", fault("deadman.readback", "2 s off"), "deadman.readback: 2 s off", 6],
    ["arm", odd, "deadman.arm: TypeError: x is not a function", 6],
    ["states", fault("state.unreadable", "gone"), "state.unreadable: gone", 7],
    ["states", odd, "state.unreadable: TypeError: x is not a function", 7],
  ])("%s: %s", async (call, error, why, count) => {
    const bench = await makeChangeBench();
    bench.failing.set(call, error);
    const changes = bench.open();
    await changes.begin(bench.judged);
    await untilIdle(changes);
    const end = await endOf(changes, bench.judged.task);
    expect(end?.outcome).toBe("failed_before_change");
    expect(`${end?.code}: ${end?.detail}`).toBe(why);
    expect(bench.calls).toEqual([...beforeTouching.slice(0, count), "end"]);
    expect(bench.lines).toEqual([`${bench.judged.task} ends before anything was changed: ${why}`]);
  });

  test("a part that somebody has changed since it was judged", async () => {
    const bench = await makeChangeBench();
    bench.now.state = "11".repeat(32);
    const changes = bench.open();
    await changes.begin(bench.judged);
    await untilIdle(changes);
    const end = await endOf(changes, bench.judged.task);
    expect(end).toMatchObject({ outcome: "failed_before_change", code: "state.stale" });
    expect(end?.detail).toMatch(/^firewall:gatehouse_edge: expected absent, found 1111/);
    expect(bench.calls).not.toContain("apply");
  });

  test("words without end are cut to what a record holds", async () => {
    const bench = await makeChangeBench();
    bench.failing.set("validate", fault("validate.failed", "x".repeat(5_000)));
    const changes = bench.open();
    await changes.begin(bench.judged);
    await untilIdle(changes);
    expect((await endOf(changes, bench.judged.task))?.detail).toBe("x".repeat(1_000));
    expect(await bench.kinds(), "a new start believes it").toEqual(["accepted", "ended"]);
  });
});

describe("what fails once the host is touched is taken back by the dead-man", () => {
  test.each<[ChangeCall, unknown, string]>([
    ["apply", fault("apply.failed", "nft says no"), "apply.failed: nft says no"],
    ["apply", odd, "apply.failed: TypeError: x is not a function"],
    ["successor", fault("check.failed", "no systemd"), "check.failed: no systemd"],
    ["isApplied", odd, "check.failed: TypeError: x is not a function"],
    ["ceiling", fault("agent.file_unusable", "not root's"), "agent.file_unusable: not root's"],
    ["ceiling", odd, "check.failed: TypeError: x is not a function"],
    [
      "restart",
      true,
      "agent.command_failed: systemctl restart --no-block gatehouse-agent.service ended with 1 and said: no",
    ],
  ])("%s: %s", async (call, error, why) => {
    const bench = await makeChangeBench();
    bench.failing.set(call, error);
    if (call === "successor") bench.now.successor = "another";
    const changes = bench.open();
    await changes.begin(bench.judged);
    await expect.poll(() => bench.calls.at(-1), { interval: 1 }).toBe("fire");
    const slot = await (await bench.openJournal()).look();
    expect(slot?.state).toBe("restoring");
    expect(`${slot?.why?.code}: ${slot?.why?.detail}`).toBe(why);
    expect(bench.lines).toEqual([`${bench.judged.task} is taken back: ${why}`]);
    await untilIdle(changes);
  });

  test.each<[string, (bench: Awaited<ReturnType<typeof makeChangeBench>>) => void]>([
    ["check.failed", ({ now }) => void (now.isApplied = false)],
    [
      "ceiling.keep",
      ({ now }) => void (now.ceiling = { ...now.ceiling, keep: ["tcp/443:192.0.2.0/24"] } as typeof now.ceiling),
    ],
  ])("%s", async (code, spoil) => {
    const bench = await makeChangeBench();
    spoil(bench);
    const changes = bench.open();
    await changes.begin(bench.judged);
    await expect.poll(() => bench.calls.at(-1), { interval: 1 }).toBe("fire");
    expect((await (await bench.openJournal()).look())?.why?.code).toBe(code);
    expect(await bench.kinds()).not.toContain("probe");
  });

  test("a reason that cannot be written down now does not keep the dead-man from its work", async () => {
    const bench = await makeChangeBench();
    bench.failing.set("apply", odd);
    bench.before.set("restoring", () => Promise.reject(fault("journal.locked", "another program holds it")));
    const changes = bench.open();
    await changes.begin(bench.judged);
    await expect.poll(() => bench.calls.at(-1), { interval: 1 }).toBe("fire");
    expect(bench.lines.at(-1)).toBe("why it is taken back could not be written down: another program holds it");
  });

  test("one that the dead-man takes back already is left to it", async () => {
    const bench = await makeChangeBench();
    bench.failing.set("apply", odd);
    bench.before.set("restoring", async () => {
      const rescue = await bench.openJournal();
      await rescue.append(bench.judged.task, "restoring", { code: "confirm.late", detail: "" });
      const { approvalId, planDigest, index } = bench.judged;
      const why = { code: "confirm.late", detail: "", foreign: [] };
      await rescue.append(bench.judged.task, "ended", {
        approvalId,
        planDigest,
        index,
        outcome: "rolled_back",
        ...why,
      });
    });
    const changes = bench.open();
    await changes.begin(bench.judged);
    await untilIdle(changes);
    expect(bench.calls).not.toContain("fire");
    expect(bench.lines.at(-1)).toMatch(/^a change stands still: journal\.move/);
    expect(await endOf(changes, bench.judged.task)).toMatchObject({ outcome: "rolled_back" });
  });

  test("a dead-man that cannot be started leaves it to its timer, and a line says so", async () => {
    const bench = await makeChangeBench();
    bench.failing.set("apply", odd).set("fire", fault("agent.command_failed", "no systemd"));
    const changes = bench.open();
    await changes.begin(bench.judged);
    await untilIdle(changes);
    expect(bench.lines.at(-1)).toBe("a change stands still: agent.command_failed: no systemd");
    expect(bench.broken).toEqual([]);
  });
});

describe("a journal that cannot be written ends the process", () => {
  const records = ["accepted", ...upToProbe.slice(1)];
  test.each([...new Set(records)])("at %s", async (kind) => {
    const bench = await makeChangeBench();
    const at = upToProbe.indexOf(kind as (typeof upToProbe)[number]);
    const changes = bench.open();
    await changes.find(bench.judged.task);
    // Every record is one write of the journal and one of its mark.
    bench.disk.failNext("sync", at * 2 + 1, "EIO");
    await changes.begin(bench.judged).catch(() => undefined);
    await expect.poll(() => bench.broken.length, { interval: 1 }).toBe(1);
    expect(String(bench.broken[0])).toContain("journal.write");
    expect(bench.calls, "nobody is told to take it back: the timer does").not.toContain("fire");
    await expect(changes.begin({ ...bench.judged, approvalId: "ef".repeat(16) })).rejects.toThrow();
  });

  test("and so does whatever else nobody knows the outcome of", async () => {
    const bench = await makeChangeBench();
    bench.failing.set("validate", new UnknownOutcome("a file was being replaced"));
    const changes = bench.open();
    await changes.begin(bench.judged);
    await expect.poll(() => bench.broken.length, { interval: 1 }).toBe(1);
  });

  test("and a proof that could not be written down is no confirmation", async () => {
    const bench = await makeChangeBench();
    const changes = bench.open();
    await changes.begin(bench.judged);
    await untilRestarted(bench);
    const proof = await bench.prove();
    bench.disk.failNext("sync", 1, "EIO");
    await expect(changes.prove(proof)).rejects.toThrow(/^journal\.write/);
    expect(bench.broken).toHaveLength(1);
    expect(bench.calls).not.toContain("finish");
  });
});

test("a journal that could not be opened is not read again at once, and is after a while", async () => {
  const bench = await makeChangeBench();
  await bench.open().find(bench.judged.task);
  const mark = bench.disk.contents().get("/state/journal/mark") as Uint8Array;
  const put = async (bytes: Uint8Array) => {
    await bench.disk.remove("/state/journal/mark");
    const file = await bench.disk.open("/state/journal/mark", "create");
    await file.write(bytes, 0);
    await file.close();
  };
  await put(Uint8Array.of(1));
  const changes = bench.open();
  await expect(changes.told(0)).rejects.toThrow(/^journal\.unsound/);
  await put(mark);
  await expect(changes.told(0)).rejects.toThrow(/^journal\.unsound/);
  bench.host.time.wall += 10_000;
  expect(await changes.told(0)).toEqual({ open: undefined, newest: 0, notes: [] });
});

test("what has been written is told from a number on, with the change that is open", async () => {
  const bench = await makeChangeBench();
  const changes = bench.open();
  expect(await changes.told(0)).toEqual({ open: undefined, newest: 0, notes: [] });
  await changes.begin(bench.judged);
  await untilRestarted(bench);
  const { open, newest, notes } = await changes.told(6);
  expect({ open, newest, kinds: notes.map(({ kind }) => kind) }).toEqual({
    open: bench.judged.task,
    newest: 8,
    kinds: ["checking", "probe"],
  });
});
