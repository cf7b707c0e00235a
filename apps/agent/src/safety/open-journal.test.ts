import { faultyVfs, type FaultyVfs } from "@gatehouse/files/faulty";
import type { Vfs } from "@gatehouse/files";
import { describe, expect, test } from "vitest";
import { Random } from "../../../../tests/support/random.ts";
import { otherTask, sampleData, sampleTask, wholeChange } from "./journal-cases.ts";
import { encodeRecord, firstLink, headLength, writeHead } from "./journal-format.ts";
import type { JournalKind } from "./journal-record.ts";
import { type Journal, openJournal } from "./open-journal.ts";

const directory = "/state/journal";
const limits = { fileBytes: 1_500, keptBytes: 6_000 };
const open = (vfs: Vfs, more: object = {}): Promise<Journal> =>
  openJournal({
    vfs,
    directory,
    withLock: (act) => act(),
    now: () => 1_800_000_000_000,
    uptimeMs: () => 1_000,
    boot: "boot-1",
    limits,
    ...more,
  });
const newDisk = () => faultyVfs({ directories: ["/state"] });
const write = <Kind extends JournalKind>(journal: Journal, kind: Kind, task = sampleTask) =>
  journal.append(task, kind, sampleData[kind]);
const idOf = (number: number) => `task_${String(number).padStart(26, "0")}`;

async function writeChange(journal: Journal, task = sampleTask, upTo = wholeChange.length): Promise<void> {
  for (const kind of wholeChange.slice(0, upTo)) await write(journal, kind, task);
}

test("what is written is there at the next start", async () => {
  const vfs = newDisk();
  const journal = await open(vfs);
  expect(await journal.look()).toBeUndefined();
  await writeChange(journal, sampleTask, 4);
  const again = await open(vfs);
  expect(await again.look()).toMatchObject({ task: sampleTask, state: "applying" });
  expect((await again.read(2)).map(({ seq, kind }) => `${seq} ${kind}`)).toEqual(["3 armed", "4 applying"]);
});

test("two programs write in turn, and each sees what the other wrote", async () => {
  const vfs = newDisk();
  const [helper, rescue] = [await open(vfs), await open(vfs)];
  await writeChange(helper, sampleTask, 4);
  await write(rescue, "restoring");
  await expect(write(helper, "checking")).rejects.toThrow(/^journal\.move: .* after "restoring"/);
  await rescue.append(sampleTask, "ended", { ...sampleData.ended, outcome: "rolled_back" });
  expect(await helper.look()).toBeUndefined();
  await write(helper, "accepted", otherTask);
  expect(await rescue.look()).toMatchObject({ task: otherTask });
});

test("a file that got shorter under a running program is damage", async () => {
  const vfs = newDisk();
  const journal = await open(vfs, { limits: undefined });
  await writeChange(journal, sampleTask, 4);
  const file = await vfs.open(`${directory}/00000001`, "write");
  await file.truncate(headLength);
  await expect(journal.look()).rejects.toThrow(/^journal\.unsound: .* is shorter than it was/);
  await vfs.remove(`${directory}/00000001`);
  await expect(journal.look()).rejects.toThrow(/^journal\.unsound: .* is shorter than it was/);
});

test("the changes that hold are told in order, each with what was accepted, and those that were taken back are not", async () => {
  const vfs = newDisk();
  const journal = await open(vfs, { limits: undefined });
  await writeChange(journal, idOf(1));
  await writeChange(journal, idOf(2), 5);
  await write(journal, "restoring", idOf(2));
  await journal.append(idOf(2), "ended", { ...sampleData.ended, outcome: "rolled_back" });
  await writeChange(journal, idOf(3));
  await writeChange(journal, idOf(4), 5);
  const appliedAfter = async (after: number) => {
    const found: { task: string; seq: number; accepted: unknown }[] = [];
    await (await open(vfs, { limits: undefined })).applied(after, (change) => void found.push(change));
    return found;
  };
  const all = await appliedAfter(0);
  expect(all.map(({ task }) => task)).toEqual([idOf(1), idOf(3)]);
  expect(all[0]).toMatchObject({ seq: wholeChange.length, accepted: sampleData.accepted });
  expect((await appliedAfter(wholeChange.length)).map(({ task }) => task)).toEqual([idOf(3)]);
});

test("a second change waits until the first has ended", async () => {
  const journal = await open(newDisk());
  await write(journal, "accepted");
  await expect(write(journal, "accepted", otherTask)).rejects.toThrow(/^journal\.move/);
});

test("old files go when there are many, and never the one that an open change began in", async () => {
  const vfs = newDisk();
  const journal = await open(vfs);
  for (let number = 1; number <= 12; number += 1) await writeChange(journal, idOf(number));
  const files = (await vfs.list(directory)).filter((name) => name !== "mark");
  expect(files.length).toBeLessThanOrEqual(limits.keptBytes / limits.fileBytes + 1);
  expect(files).not.toContain("00000001");
  const again = await open(vfs);
  expect((await again.read(0)).at(-1)?.task).toBe(idOf(12));
  await writeChange(again, sampleTask, 6);
  for (let probe = 0; probe < 60; probe += 1) await write(again, "probe");
  const later = await open(vfs);
  expect(await later.look()).toMatchObject({ task: sampleTask, state: "checking", accepted: sampleData.accepted });
  await write(later, "confirmed");
  await write(later, "ended");
  await writeChange(later, idOf(13));
  expect(await later.look()).toBeUndefined();
});

describe("a disk that fails", () => {
  test.each(["write", "sync", "rename", "syncDirectory"] as const)("at %s ends the journal", async (op) => {
    const vfs = newDisk();
    const journal = await open(vfs);
    await write(journal, "accepted");
    vfs.failNext(op, 1, "EIO");
    await expect(write(journal, "snapshotted")).rejects.toThrow(/^journal\.write/);
    vfs.clearFaults();
    await expect(write(journal, "snapshotted")).rejects.toThrow("journal.write: an earlier write failed");
    expect((await (await open(vfs)).look())?.task).toBe(sampleTask);
  });

  test("that is full takes nothing, and the change that was open stays open", async () => {
    const vfs = newDisk();
    const journal = await open(vfs);
    await writeChange(journal, sampleTask, 3);
    vfs.setCapacity(0);
    await expect(write(journal, "applying")).rejects.toThrow(/^journal\.write/);
    expect(await (await open(vfs.crash(new Random(1)))).look()).toMatchObject({ state: "armed" });
  });

  test("at the very first file leaves none, and the next start makes it", async () => {
    const vfs = newDisk();
    vfs.failNext("write", 1, "EIO");
    await expect(open(vfs)).rejects.toThrow(/^journal\.write/);
    const journal = await open(vfs);
    await write(journal, "accepted");
    expect(await journal.look()).toMatchObject({ state: "accepted" });
  });
});

describe("damage", () => {
  /** A journal with an open change, one byte of one file changed. */
  async function spoilt(name: string, change: (bytes: Uint8Array) => Uint8Array): Promise<Promise<unknown>> {
    const vfs = newDisk();
    await writeChange(await open(vfs), sampleTask, 4);
    const files = new Map(
      [...vfs.contents()].map(([path, bytes]) => [path, path.endsWith(name) ? change(bytes) : bytes]),
    );
    return open(faultyVfs({ files, directories: ["/state", directory] }));
  }
  const flipAt = (at: number) => (bytes: Uint8Array) => bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));

  test("in any byte of what was acted upon is found", async () => {
    const vfs = newDisk();
    await writeChange(await open(vfs), sampleTask, 4);
    const length = vfs.contents().get(`${directory}/00000001`)?.byteLength ?? 0;
    expect(length).toBeGreaterThan(headLength);
    for (let at = 0; at < length; at += 1) {
      await expect(spoilt("/00000001", flipAt(at)), `byte ${at}`).rejects.toThrow(/^journal\.unsound/);
    }
  });

  test.each([
    ["a last record that is gone", "/00000001", (bytes: Uint8Array) => bytes.subarray(0, -1)],
    ["a file that is empty", "/00000001", () => new Uint8Array()],
    ["a mark that is none", "/mark", () => new Uint8Array()],
    ["a mark of another record", "/mark", flipAt(60)],
  ])("%s is told from a write that was cut off", async (_, name, change) => {
    await expect(spoilt(name, change)).rejects.toThrow(/^journal\.unsound/);
  });

  test("records without a mark, and a record that may not come there, are no journal", async () => {
    const vfs = newDisk();
    await writeChange(await open(vfs), sampleTask, 4);
    await vfs.remove(`${directory}/mark`);
    await expect(open(vfs)).rejects.toThrow(/^journal\.unsound/);
  });

  test("a later file without the records before it and its own is no journal", async () => {
    const files = new Map([[`${directory}/00000005`, writeHead(new Uint8Array(32).fill(7))]]);
    await expect(open(faultyVfs({ files, directories: ["/state"] }))).rejects.toThrow(/^journal\.unsound/);
  });

  test("a step that may not come there is no step of a journal, however well it is linked", async () => {
    const record = {
      v: 1,
      seq: 1,
      at: 1,
      boot: "",
      uptimeMs: 1,
      task: sampleTask,
      kind: "applying",
      data: {},
    } as const;
    const { bytes } = encodeRecord(firstLink, record);
    const files = new Map([[`${directory}/00000001`, Buffer.concat([writeHead(firstLink), bytes])]]);
    const opened = open(faultyVfs({ files, directories: ["/state"] }));
    await expect(opened).rejects.toThrow('journal.unsound: record 1: expected "accepted", found "applying"');
  });

  test("of a disk that cannot be read is not taken for a journal that is absent", async () => {
    const vfs = newDisk();
    await writeChange(await open(vfs), sampleTask, 4);
    const unreadable: Vfs = { ...vfs, open: () => Promise.reject(new Error("EIO")) };
    await expect(open(unreadable)).rejects.toThrow("EIO");
  });
});

/** Changes one after the other, some taken back, with starts in between; what had been promised, and from which operation on. */
async function runChanges(seed: number) {
  const random = new Random(seed);
  const vfs = newDisk();
  const promised: { op: number; seq: number; kind: JournalKind }[] = [];
  let journal = await open(vfs);
  let seq = 0;
  const step = async (kind: JournalKind, task: string, data: object) => {
    await journal.append(task, kind, data as never);
    seq += 1;
    promised.push({ op: vfs.ops, seq, kind });
    if (random.chance(0.1)) journal = await open(vfs);
  };
  for (let number = 1; number <= 6; number += 1) {
    const stopAt = random.chance(0.5) ? wholeChange.length : 4 + random.below(3);
    for (const kind of wholeChange.slice(0, stopAt)) await step(kind, idOf(number), sampleData[kind]);
    if (stopAt === wholeChange.length) continue;
    await step("restoring", idOf(number), sampleData.restoring);
    await step("ended", idOf(number), { ...sampleData.ended, outcome: "rolled_back" });
  }
  return { vfs, promised };
}

async function findLoss(
  vfs: FaultyVfs,
  promised: Awaited<ReturnType<typeof runChanges>>["promised"],
  op: number,
  random: Random,
) {
  const journal = await open(vfs.imageAt(op, random));
  const found = new Map((await journal.read(0)).map(({ seq, kind }) => [seq, kind]));
  const lost = promised.filter((one) => one.op <= op && found.get(one.seq) !== one.kind);
  const oldest = Math.min(...found.keys());
  const slot = await journal.look();
  // And it goes on: whatever was cut off is in nobody's way.
  if (slot === undefined) await write(journal, "accepted");
  else if (slot.state === "applying") await journal.append(slot.task, "restoring", sampleData.restoring);
  return lost.filter(({ seq }) => seq >= oldest).map(({ seq }) => `after operation ${op}: record ${seq}`);
}

test("no power cut takes a record that was acted upon", async () => {
  const losses: string[] = [];
  let cuts = 0;
  for (const seed of [1, 2, 3]) {
    const { vfs, promised } = await runChanges(seed);
    for (let op = 0; op <= vfs.ops; op += 1) {
      losses.push(...(await findLoss(vfs, promised, op, new Random(seed, op))));
      cuts += 1;
    }
  }
  expect(losses).toEqual([]);
  expect(cuts).toBeGreaterThan(1_000);
});

test("the newest records are told from memory, without the section, and also those that another program wrote", async () => {
  const vfs = newDisk();
  const [helper, rescue] = [await open(vfs), await open(vfs)];
  await writeChange(helper, sampleTask, 4);
  await write(rescue, "restoring");
  await rescue.append(sampleTask, "ended", { ...sampleData.ended, outcome: "rolled_back" });
  const notes = await helper.recent(3);
  expect(notes.map(({ seq, kind, task }) => `${seq} ${kind} ${task}`)).toEqual([
    `4 applying ${sampleTask}`,
    `5 restoring ${sampleTask}`,
    `6 ended ${sampleTask}`,
  ]);
  expect(notes.map(({ end }) => end?.outcome)).toEqual([undefined, undefined, "rolled_back"]);
  const all = await helper.read(0);
  expect((await helper.recent(0)).map(({ link }) => link)).toEqual(all.map(({ link }) => link));
  expect(await (await open(vfs)).recent(0)).toEqual(await helper.recent(0));
  expect(JSON.stringify(await helper.recent(0))).not.toContain("operations");
});

test("a thousand are remembered, whatever the journal keeps", async () => {
  const journal = await open(newDisk(), { limits: undefined });
  await writeChange(journal, sampleTask, 6);
  for (let probe = 0; probe < 1_000; probe += 1) await write(journal, "probe");
  expect((await journal.recent(0)).map(({ seq }) => seq)).toEqual(Array.from({ length: 1_000 }, (_, at) => at + 7));
});

test("asking what is open reads only what is new", async () => {
  const vfs = newDisk();
  const journal = await open(vfs, { limits: undefined });
  await writeChange(journal, sampleTask, 6);
  const from: number[] = [];
  const watching: Vfs = {
    ...vfs,
    open: async (path, mode) => {
      const file = await vfs.open(path, mode);
      return {
        ...file,
        read: (at, length) => (path.endsWith("/00000001") && from.push(length), file.read(at, length)),
      };
    },
  };
  const watched = await open(watching, { limits: undefined });
  from.length = 0;
  await watched.look();
  expect(from).toEqual([0]);
});

test("a file that cannot be read now is read again later, and no record counts twice", async () => {
  const vfs = newDisk();
  const writer = await open(vfs);
  let failsAt = "none";
  const failing: Vfs = {
    ...vfs,
    open: async (path, mode) => {
      if (path.endsWith(failsAt)) throw new Error("EIO");
      return vfs.open(path, mode);
    },
  };
  const reader = await open(failing);
  for (const number of [1, 2]) {
    await writeChange(writer, idOf(number), 4);
    await writer.append(idOf(number), "restoring", sampleData.restoring);
    await writer.append(idOf(number), "ended", { ...sampleData.ended, outcome: "rolled_back" });
  }
  failsAt = "/00000002";
  await expect(reader.look()).rejects.toThrow("EIO");
  failsAt = "none";
  expect(await reader.look()).toBeUndefined();
  expect(await reader.recent(0)).toEqual(await writer.recent(0));
});
