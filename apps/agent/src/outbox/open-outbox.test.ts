import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeVfs } from "@gatehouse/files";
import { faultyVfs } from "@gatehouse/files/faulty";
import { expect, onTestFinished, test } from "vitest";
import { mostBodyBytes } from "./outbox-format.ts";
import { openOutbox } from "./open-outbox.ts";
import type { Outbox } from "./outbox.ts";

const now = () => Date.UTC(2026, 0, 1);
const directory = "/state/outbox";

async function onDisk(mostBytes?: number) {
  const root = mkdtempSync(join(tmpdir(), "gatehouse-outbox-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const lines: string[] = [];
  const at = join(root, "outbox");
  const log = (line: string) => void lines.push(line);
  const limit = mostBytes === undefined ? {} : { mostBytes };
  const open = () => openOutbox({ vfs: nodeVfs, directory: at, log, now, ...limit });
  return { at, records: join(at, "records"), lines, open };
}

async function inMemory(mostBytes?: number) {
  const vfs = faultyVfs({ directories: ["/state"] });
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const limit = mostBytes === undefined ? {} : { mostBytes };
  return { vfs, lines, outbox: await openOutbox({ vfs, directory, log, now, ...limit }) };
}

const bodies = async (outbox: Outbox, after = 0) =>
  (await outbox.after(after, 1_000)).map(({ seq, kind, body }) => [seq, kind, JSON.parse(body) as unknown]);
const gapOf = (detail: string) => ({ what: "outbox.gap", at: now(), detail });

test("what was put is there after a restart, in order, with what was acknowledged and remembered", async () => {
  const { open, lines, records } = await onDisk();
  const first = await open();
  expect(first.cursor()).toEqual({ acked: 0, last: 0 });
  expect(
    await Promise.all([
      first.put("event", { n: 1 }),
      first.put("log", "ü\u0000\u00ff"),
      first.put("event", 3, () => "m"),
    ]),
  ).toEqual([1, 2, 3]);
  await first.ack(1);
  await first.ack(0);
  await first.close();
  const second = await open();
  expect(second.cursor()).toEqual({ acked: 1, last: 3 });
  expect(second.mark()).toBe("m");
  expect(second.waiting()).toMatchObject({ records: 2, dropped: 0 });
  expect(await bodies(second)).toEqual([
    [2, "log", "ü\u0000\u00ff"],
    [3, "event", 3],
  ]);
  expect(await bodies(second, 2)).toEqual([[3, "event", 3]]);
  expect(await second.put("event", 4)).toBe(4);
  await second.close();
  expect(statSync(records).mode & 0o777).toBe(0o600);
  expect(lines).toEqual([]);
});

test("numbers go on when everything was acknowledged and nothing is held", async () => {
  const { open } = await onDisk();
  const first = await open();
  await first.put("event", 1);
  await first.ack(1);
  await first.close();
  const second = await open();
  expect(second.cursor()).toEqual({ acked: 1, last: 1 });
  expect(await second.put("event", 2)).toBe(2);
  await second.close();
});

test("an unfinished write is cut, and nothing else is lost", async () => {
  const { open, records, lines } = await onDisk();
  const first = await open();
  await first.put("event", 1);
  const whole = readFileSync(records);
  await first.put("event", 2);
  await first.close();
  const both = readFileSync(records);
  for (let length = whole.length + 1; length < both.length; length += 1) {
    writeFileSync(records, both.subarray(0, length));
    const again = await open();
    expect(await bodies(again)).toEqual([[1, "event", 1]]);
    await again.close();
  }
  expect(lines[0]).toBe("1 bytes of an unfinished write were cut from the outbox");
});

test.each<[string, (bytes: Buffer) => Buffer]>([
  ["a changed byte before the end", (bytes) => (bytes.writeUInt8(bytes.readUInt8(200) ^ 1, 200), bytes)],
  ["a changed header", (bytes) => (bytes.writeUInt8(0, 20), bytes)],
  ["an empty file", () => Buffer.alloc(0)],
  ["something else", () => Buffer.from("not an outbox\n")],
  ["a long tail", (bytes) => Buffer.concat([bytes, Buffer.alloc(1024 * 1024)])],
  ["a missing middle", (bytes) => Buffer.concat([bytes.subarray(0, 180), bytes.subarray(260)])],
])("%s sets the file aside, names it, and tells of a gap under a number that was never used", async (_, damage) => {
  const { open, records, lines, at } = await onDisk();
  const first = await open();
  for (let count = 1; count <= 5; count += 1) await first.put("event", count);
  await first.close();
  writeFileSync(records, damage(readFileSync(records)));
  const second = await open();
  expect(lines).toEqual([expect.stringMatching(/^outbox\.damaged: .*; it was set aside as records\.damaged$/)]);
  expect(readdirSync(at).sort()).toEqual(["records", "records.damaged", "reserved"]);
  const { last } = second.cursor() as { last: number };
  expect(last).toBeGreaterThanOrEqual(5);
  await second.put("event", "next");
  expect(await bodies(second)).toEqual([
    [last + 1, "event", gapOf("the outbox was damaged; nobody knows what was in it")],
    [last + 2, "event", "next"],
  ]);
  await second.close();
  const third = await open();
  expect(await bodies(third)).toHaveLength(2);
  await third.close();
});

test("a file that is gone is told of, and its numbers are not used again", async () => {
  const { open, records } = await onDisk();
  const first = await open();
  await first.put("event", 1);
  await first.close();
  rmSync(records);
  const second = await open();
  await second.put("event", 2);
  const [gap, next] = await bodies(second);
  expect(gap?.[2]).toEqual(gapOf("the outbox was gone; nobody knows what was in it"));
  expect(next?.[0]).toBeGreaterThan(1_000);
  await second.close();
});

test("what is acknowledged leaves the file when it is more than half of it", async () => {
  const { vfs, outbox } = await inMemory();
  const size = () => vfs.contents().get(`${directory}/records`)?.length ?? 0;
  for (let count = 0; count < 200; count += 1) await outbox.put("event", "x".repeat(1_000));
  const full = size();
  await outbox.ack(90);
  expect(size()).toBeGreaterThan(full);
  expect(await outbox.after(0, 1)).toMatchObject([{ seq: 1 }]);
  await outbox.ack(120);
  expect(size()).toBeLessThan(full / 2);
  expect(await outbox.after(0, 1)).toMatchObject([{ seq: 121 }]);
  expect(outbox.waiting()).toMatchObject({ records: 80 });
});

test("a full outbox drops steps, then logs, then states, oldest first, and counts them", async () => {
  const { vfs, outbox } = await inMemory(64 * 1024);
  const kinds = async () => new Set((await outbox.after(0, 1_000)).map(({ kind }) => kind));
  const text = "x".repeat(900);
  for (const kind of ["state", "log", "step", "event"] as const) {
    for (let count = 0; count < 12; count += 1) await outbox.put(kind, text);
  }
  const dropped: unknown[] = [];
  for (let count = 0; count < 36; count += 1) await outbox.put("event", text);
  let held: Awaited<ReturnType<typeof outbox.after>> = [];
  for (let from = 0; (held = await outbox.after(from, 1_000)).length > 0; from = held.at(-1)?.seq ?? 0) {
    for (const { body } of held)
      if (body.includes("outbox.gap")) dropped.push((JSON.parse(body) as { detail: string }).detail);
  }
  expect(dropped.length).toBeGreaterThan(2);
  const order = dropped.flatMap((each) => String(each).replace("dropped ", "").split(", "));
  const names = order.map((each) => each.split(" ")[1]);
  expect(names).toEqual([...names].sort((one, other) => rank(one) - rank(other)));
  const sums = order.reduce((sum, each) => sum + Number(each.split(" ")[0]), 0);
  expect(outbox.waiting().dropped).toBe(sums);
  expect((await kinds()).has("event")).toBe(true);
  expect(vfs.contents().get(`${directory}/records`)?.length).toBeLessThanOrEqual(64 * 1024);
});
const rank = (kind: string | undefined) => ["step", "log", "state"].indexOf(kind ?? "");

test("nothing is dropped for what is worth less, and what does not fit is refused, counted and told", async () => {
  const { vfs, outbox } = await inMemory(64 * 1024);
  const text = "x".repeat(900);
  let taken = 0;
  for (;;) {
    const put = await outbox.put("event", text).catch((error: Error) => error.message);
    if (typeof put === "string") {
      expect(put).toMatch(/^outbox\.full: /);
      break;
    }
    taken = put;
  }
  await expect(outbox.put("step", text)).rejects.toThrow(/^outbox\.full/);
  await expect(outbox.put("event", text)).rejects.toThrow(/^outbox\.full/);
  expect(outbox.waiting()).toMatchObject({ records: taken, dropped: 3 });
  expect(vfs.contents().get(`${directory}/records`)?.length).toBeLessThanOrEqual(64 * 1024);
  await outbox.ack(10);
  expect(await outbox.put("event", "again")).toBe(taken + 2);
  expect(await bodies(outbox, taken)).toEqual([
    [taken + 1, "event", gapOf("not taken 2 event, 1 step")],
    [taken + 2, "event", "again"],
  ]);
});

test("a message that fits into no frame is refused before anything is written", async () => {
  const { outbox } = await inMemory();
  await expect(outbox.put("event", "x".repeat(mostBodyBytes))).rejects.toThrow(/^frame\.too_large/);
  expect(await outbox.put("event", "x".repeat(mostBodyBytes - 2))).toBe(2);
});

test.each([
  ["write", "EIO"],
  ["write", "ENOSPC"],
  ["write", "short"],
  ["sync", "EIO"],
  ["sync", "ENOSPC"],
] as const)("a %s that fails with %s is reported; the next put is preceded by word of it", async (op, error) => {
  const { vfs, outbox } = await inMemory();
  await outbox.put("event", 1);
  vfs.failNext(op, 1, error);
  await expect(outbox.put("event", 2)).rejects.toThrow(/^outbox\.unwritable/);
  expect(outbox.cursor()).toEqual({ acked: 0, last: 1 });
  expect(await outbox.put("event", 3)).toBe(3);
  const told = [
    [1, "event", 1],
    [2, "event", gapOf("not taken 1 event")],
    [3, "event", 3],
  ];
  expect(await bodies(outbox)).toEqual(told);
  await outbox.close();
  expect(await bodies(await openOutbox({ vfs, directory, log: () => undefined, now }))).toEqual(told);
});

test("a disk that takes nothing is said once; when it does again, everything goes on", async () => {
  const { vfs, outbox } = await inMemory();
  await outbox.put("event", 1);
  await outbox.close();
  vfs.setCapacity(0);
  const lines: string[] = [];
  const again = await openOutbox({ vfs, directory, log: (line) => void lines.push(line), now });
  for (let count = 0; count < 3; count += 1) expect(await again.after(0, 10)).toEqual([]);
  await expect(again.put("event", 2)).rejects.toThrow(/^outbox\.unwritable/);
  expect(again.cursor()).toEqual({ acked: 0, last: 1 });
  expect(lines).toEqual([expect.stringMatching(/^outbox\.unwritable: .*ENOSPC/)]);
  vfs.setCapacity(10 ** 9);
  expect(await again.put("event", 3)).toBe(3);
  expect(await bodies(again)).toHaveLength(3);
});

test("word of what was not taken is put by itself once the disk takes something, and once", async () => {
  const { vfs, outbox } = await inMemory();
  await outbox.put("event", 1);
  expect(await outbox.tellGap()).toBe(false);
  vfs.setCapacity(0);
  await expect(outbox.put("event", 2)).rejects.toThrow(/^outbox\.unwritable/);
  expect(await outbox.tellGap()).toBe(false);
  expect(outbox.waiting()).toMatchObject({ records: 1, dropped: 1 });
  vfs.setCapacity(10 ** 9);
  expect(await outbox.tellGap()).toBe(true);
  expect(await outbox.tellGap()).toBe(false);
  expect(await bodies(outbox, 1)).toEqual([[2, "event", gapOf("not taken 1 event")]]);
});

test("a full outbox is not filled with word of it", async () => {
  const { outbox } = await inMemory(16 * 1024);
  const refused = async () =>
    outbox.put("event", "x").then(
      () => false,
      () => true,
    );
  while (!(await refused()));
  const before = outbox.waiting();
  expect(await outbox.tellGap()).toBe(false);
  expect(outbox.waiting()).toEqual(before);
  await outbox.ack(outbox.cursor()?.last ?? 0);
  expect(await outbox.tellGap()).toBe(true);
});

test("a server that has lost what is gone here is told so once, and gets what is still held", async () => {
  const { outbox } = await inMemory();
  for (let count = 0; count < 100; count += 1) await outbox.put("event", "x".repeat(1_000));
  await outbox.ack(80);
  await outbox.rewind(80);
  expect(outbox.cursor()).toEqual({ acked: 80, last: 100 });
  for (const lie of [7, 0, 79]) await outbox.rewind(lie);
  expect(outbox.cursor()).toEqual({ acked: 80, last: 101 });
  expect((await bodies(outbox, 100))[0]?.[2]).toEqual(
    gapOf("the server has lost what it had behind 7; up to 80 it is no longer on the host"),
  );
});

test("an acknowledgement of what was never put is refused", async () => {
  const { outbox } = await inMemory();
  await expect(outbox.ack(1)).rejects.toThrow(/^frame\.malformed/);
});

test("the remembered text changes alone, and only when it is another", async () => {
  const { vfs, outbox } = await inMemory();
  await outbox.setMark(() => "a");
  const { ops } = vfs;
  await outbox.setMark(() => "a");
  expect(vfs.ops).toBe(ops);
  expect(outbox.mark()).toBe("a");
});

test("two that remember something at once do not undo each other: each sees what the one before has left", async () => {
  const { outbox } = await inMemory();
  await Promise.all([
    outbox.put("event", 1, (before = "") => `${before}a`),
    outbox.setMark((before = "") => `${before}b`),
    outbox.put("event", 2, (before = "") => `${before}c`),
  ]);
  expect(outbox.mark()).toBe("abc");
});

test("an outcome that is not taken is no gap: it is put again", async () => {
  const { vfs, outbox } = await inMemory();
  vfs.failNext("write", 1, "ENOSPC");
  await expect(outbox.put("outcome", "a", () => "1")).rejects.toThrow(/^outbox\.unwritable/);
  expect(outbox.mark()).toBeUndefined();
  expect(outbox.waiting()).toMatchObject({ dropped: 0 });
  await outbox.put("outcome", "a", () => "1");
  expect(await bodies(outbox)).toEqual([[1, "outcome", "a"]]);
  expect(outbox.mark()).toBe("1");
});
