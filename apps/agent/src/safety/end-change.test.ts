import { fault } from "@gatehouse/contract/faults";
import type { Operation, OperationKind } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { endOfSample, RestoredHost, paths } from "../../test/restored-host.ts";
import { playChange } from "../../test/play-change.ts";
import { endBeforeChange, endOf, finishChange } from "./end-change.ts";
import type { JournalSlot } from "./journal-slot.ts";
import { listIn } from "./snapshot-files.ts";
import { sampleAccepted } from "../../test/restored-host.ts";

test("a timer that cannot be stopped does not leave a change open", async () => {
  for (const state of ["armed", "confirmed"] as const) {
    const host = new RestoredHost();
    const journal = await playChange(host, state);
    host.deadman.stop = () => Promise.reject(new Error("no bus"));
    const slot = (await journal.look()) as JournalSlot;
    const why = { code: "state.stale", detail: "somebody was faster" };
    if (state === "armed") await endBeforeChange(host.deps, journal, slot, why);
    else await finishChange(host.deps, journal, slot);
    expect(await endOfSample(host)).toMatchObject(
      state === "armed" ? { outcome: "failed_before_change", ...why } : { outcome: "applied", code: "", detail: "" },
    );
    expect(host.lines).toEqual(["the timer that takes a change back could not be stopped: no bus"]);
    expect(await listIn(host.vfs, paths.snapshots)).toEqual([]);
  }
});

test("a table that cannot be kept leaves the change to be finished again", async () => {
  const host = new RestoredHost();
  const journal = await playChange(host, "confirmed");
  const slot = (await journal.look()) as JournalSlot;
  host.vfs.failNext("write", 1, "ENOSPC");
  await expect(finishChange(host.deps, journal, slot)).rejects.toThrow("ENOSPC");
  expect(await endOfSample(host)).toBeUndefined();
  await finishChange(host.deps, journal, slot);
  expect(await endOfSample(host)).toMatchObject({ outcome: "applied" });
});

test("what cannot be taken away behind a confirmed change is told, and the change ends all the same", async () => {
  const host = new RestoredHost();
  const journal = await playChange(host, "confirmed");
  const slot = (await journal.look()) as JournalSlot;
  const finished: string[] = [];
  const finish = async (_ground: unknown, operation: Operation) => {
    finished.push(operation.kind);
    if (finished.length === 2) throw fault("apply.failed", "/etc/motd: EIO");
  };
  const { deps } = host;
  const findChange = (kind: OperationKind) => {
    const change = deps.host.findChange(kind);
    return kind === "file.write" && change !== undefined ? { ...change, finish } : change;
  };
  await finishChange({ ...deps, host: { ...deps.host, findChange } }, journal, slot);
  expect(finished).toEqual(["file.write", "file.write"]);
  expect(host.lines).toEqual([
    `${slot.task}: what served to take it back is not all gone: apply.failed: /etc/motd: EIO`,
  ]);
  expect(await endOfSample(host)).toMatchObject({ outcome: "applied" });
  expect(await listIn(host.vfs, paths.snapshots)).toEqual([]);
});

test("an end says whose change it was, in as many words as a record holds", () => {
  const { approvalId, planDigest, index } = sampleAccepted;
  const why = { code: "check.failed", detail: "x".repeat(2_000) };
  expect(endOf({ accepted: sampleAccepted, told: [] }, "rolled_back", why, ["file:/etc/motd"])).toEqual({
    approvalId,
    planDigest,
    index,
    outcome: "rolled_back",
    code: "check.failed",
    detail: "x".repeat(1_000),
    foreign: ["file:/etc/motd"],
  });
});

test("an end carries what was read, and leaves it out where the parts that somebody else changed need the room", () => {
  const why = { code: "", detail: "" };
  const told = [{ operation: 2, lines: ["started", "x".repeat(400)] }];
  const slot = { accepted: sampleAccepted, told };
  expect(endOf(slot, "applied", why)).toMatchObject({ told });
  const foreign = Array.from({ length: 64 }, () => `file:/${"x".repeat(590)}`);
  const lines = Array.from({ length: 38 }, () => "x".repeat(400));
  expect(endOf({ ...slot, told: [{ operation: 0, lines }] }, "rolled_back", why, foreign)).not.toHaveProperty("told");
});

test("a detail that is cut within a character can still be written down", () => {
  const { detail } = endOf({ accepted: sampleAccepted, told: [] }, "applied", {
    code: "apply.failed",
    detail: `${"x".repeat(999)}\u{1f600}`,
  });
  expect(detail).toBe(`${"x".repeat(999)}\ufffd`);
});
