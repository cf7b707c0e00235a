import { hostEnds } from "@gatehouse/contract";
import { describe, expect, test } from "vitest";
import { otherTask, sampleData, sampleTask, wholeChange } from "./journal-cases.ts";
import { findJournalRecord, type JournalKind, journalKinds, type JournalRecord } from "./journal-record.ts";
import { afterRestart, atBoot, findMoveFlaw, journalMoves, type JournalSlot, takeRecord } from "./journal-slot.ts";

const record = (kind: JournalKind, more: object = {}, seq = 1) =>
  ({
    v: 1,
    seq,
    at: 1,
    boot: "boot-1",
    uptimeMs: 30_000,
    task: sampleTask,
    kind,
    data: { ...sampleData[kind], ...more },
  }) as unknown as JournalRecord;
const ended = (outcome: string) => record("ended", { outcome });
const after = (...kinds: readonly JournalKind[]) =>
  kinds.reduce<JournalSlot | undefined>((slot, kind) => takeRecord(slot, record(kind)), undefined);

test.each(journalKinds)("a record of %s is read as it was written, and with a field more it is none", (kind) => {
  expect(findJournalRecord(record(kind))).toEqual(record(kind));
  expect(findJournalRecord(record(kind, { more: 1 }))).toBeUndefined();
  expect(findJournalRecord({ ...record(kind), more: 1 })).toBeUndefined();
  expect(findJournalRecord({ ...record(kind), kind: "later" })).toBeUndefined();
});

test("a change that goes well is open from its first record to its last", () => {
  let slot: JournalSlot | undefined;
  for (const [index, kind] of wholeChange.entries()) {
    expect(findMoveFlaw(slot, record(kind))).toBeUndefined();
    slot = takeRecord(slot, record(kind));
    expect(slot === undefined).toBe(index === wholeChange.length - 1);
  }
});

test("an open change says all that is needed to take it back", () => {
  const slot = after("accepted", "snapshotted", "armed", "applying", "applied-op", "checking", "probe", "restoring");
  const again = takeRecord(slot, record("restoring", { code: "restore.failed" }));
  expect(again).toEqual({
    task: sampleTask,
    state: "restoring",
    accepted: sampleData.accepted,
    copies: sampleData.snapshotted.copies,
    armed: { deadlineMs: 90_000, boot: "boot-1" },
    operations: 1,
    told: [],
    probe: sampleData.probe.nonce,
    restores: 2,
    why: sampleData.restoring,
  });
});

test("what was read is remembered until the end, by the place of the operation", () => {
  const told = { lines: ["started"] };
  const read = { operation: 1, told };
  const applied = takeRecord(
    after("accepted", "snapshotted", "armed", "applying", "applied-op"),
    record("applied-op", read),
  );
  expect(applied).toMatchObject({ operations: 2, told: [{ operation: 1, lines: ["started"] }] });
  for (const wrong of [{ lines: [], more: 1 }, { lines: ["x".repeat(401)] }, { lines: [], code: 1 }]) {
    expect(findJournalRecord(record("applied-op", { ...read, told: wrong }))).toBeUndefined();
  }
  expect(findJournalRecord(record("applied-op", read))).toEqual(record("applied-op", read));
  const end = { told: [{ operation: 1, lines: [], code: "path.symlink" }] };
  expect(findJournalRecord(record("ended", end))).toEqual(record("ended", end));
});

describe.each(Object.entries(journalMoves))("after %s", (state, moves) => {
  const ways: Readonly<Record<string, readonly JournalKind[]>> = {
    accepted: ["accepted"],
    snapshotted: ["accepted", "snapshotted"],
    armed: ["accepted", "snapshotted", "armed"],
    applying: ["accepted", "snapshotted", "armed", "applying"],
    checking: ["accepted", "snapshotted", "armed", "applying", "checking"],
    confirmed: ["accepted", "snapshotted", "armed", "applying", "checking", "confirmed"],
    restoring: ["accepted", "snapshotted", "armed", "restoring"],
  };
  const slot = after(...(ways[state] ?? []));

  test("comes what the table says, and nothing else", () => {
    expect(slot?.state).toBe(state);
    const possible = journalKinds.filter((kind) => {
      const tried = kind === "ended" ? hostEnds.map(ended) : [record(kind)];
      return tried.some((one) => findMoveFlaw(slot, one) === undefined);
    });
    expect(possible.toSorted()).toEqual([...moves].toSorted());
  });

  test("nothing of another change", () => {
    for (const kind of journalKinds) {
      const stranger = { ...record(kind), task: otherTask } as JournalRecord;
      expect(findMoveFlaw(slot, stranger)).toBe(`expected ${sampleTask}, found ${otherTask}`);
    }
  });

  test("what has changed the host is never said to have failed before", () => {
    const hasChanged = ["applying", "checking", "confirmed", "restoring"].includes(state);
    expect(findMoveFlaw(slot, ended("failed_before_change")) === undefined).toBe(!hasChanged);
    expect(findMoveFlaw(slot, ended("applied")) === undefined).toBe(state === "confirmed");
  });

  test("a helper that was ended, and a host that was, take back what was begun and keep what was confirmed", () => {
    const key = state as keyof typeof afterRestart;
    for (const duty of [afterRestart[key], atBoot[key]]) {
      if (state === "confirmed") expect(duty).toBe("finish");
      if (state === "applying" || state === "restoring") expect(duty).toBe("restore");
      if (state === "accepted" || state === "snapshotted") expect(duty).toBe("end before change");
    }
  });
});

test("a journal begins with a change that was accepted, and operations are made in their order", () => {
  for (const kind of journalKinds)
    expect(findMoveFlaw(undefined, record(kind)) === undefined).toBe(kind === "accepted");
  const slot = after("accepted", "snapshotted", "armed", "applying");
  expect(findMoveFlaw(slot, record("applied-op", { operation: 1 }))).toBe("expected operation 0, found another");
});

test("a change ends under the approval, plan and place under which it was accepted", () => {
  const slot = after("accepted");
  const end = { outcome: "failed_before_change" };
  expect(findMoveFlaw(slot, record("ended", end))).toBeUndefined();
  for (const other of [{ approvalId: "00".repeat(16) }, { planDigest: "00".repeat(32) }, { index: 1 }]) {
    expect(findMoveFlaw(slot, record("ended", { ...end, ...other }))).toMatch(/found another$/);
  }
});

test("records that nothing is open for leave nothing open", () => {
  expect(takeRecord(undefined, record("applying"))).toBeUndefined();
});
