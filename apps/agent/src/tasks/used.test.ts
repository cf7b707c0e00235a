import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { faultyVfs } from "@gatehouse/files/faulty";
import { frame } from "@gatehouse/keys/frame";
import { expect, test } from "vitest";
import { codeOf } from "../../../../tests/support/signed-task.ts";
import { Random } from "../../../../tests/support/random.ts";
import { hastyVfs as vfs } from "../../test/hasty-vfs.ts";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { recordingVfs } from "../../test/recording-vfs.ts";
import { addUsed, readUsed } from "./used.ts";
import { emptyUsed, parseUsed, type UsedApproval, type UsedList, withUsed, writeUsed } from "./used-file.ts";

function usedOf(number: number, notAfter = 1_000 + number): UsedApproval {
  return { approvalId: number.toString(16).padStart(32, "0"), planDigest: "a1".repeat(32), notAfter };
}

const three: UsedList = { entries: [usedOf(1), usedOf(2), usedOf(3)], horizon: 500 };

test("the file holds what was used, in 56 bytes and a link each", () => {
  expect(parseUsed(writeUsed(three), "used")).toEqual(three);
  expect(parseUsed(writeUsed(emptyUsed), "used")).toEqual(emptyUsed);
  expect(writeUsed(three).byteLength - writeUsed(emptyUsed).byteLength).toBe(3 * (56 + 32));
});

test("no byte of it can be another one, missing, or too many", () => {
  const bytes = writeUsed(three);
  const taken: string[] = [];
  const attempt = (changed: Uint8Array, where: string) => {
    const code = codeOf(() => parseUsed(changed, "used"));
    if (code !== "journal.unsound") taken.push(`${where}: ${code}`);
  };
  for (const [at, byte] of bytes.entries()) {
    attempt(bytes.with(at, byte ^ 1), `byte ${at}`);
    attempt(bytes.slice(0, at), `cut at ${at}`);
  }
  attempt(new Uint8Array([...bytes, 0]), "longer");
  // Whole records that stand elsewhere, or twice, are noticed like others.
  const record = bytes.slice(44, 44 + 88);
  attempt(new Uint8Array([...bytes, ...record]), "a record again");
  attempt(new Uint8Array([...bytes.slice(0, 44), ...bytes.slice(132, 220), ...record, ...bytes.slice(220)]), "swapped");
  expect(taken).toEqual([]);
});

test("a number that no clock has makes it unsound, however well it is chained", () => {
  const record = new Uint8Array(12).fill(0xff, 0, 8);
  const link = createHash("sha256")
    .update(frame("gatehouse-used-v1", new Uint8Array(32), record))
    .digest();
  expect(codeOf(() => parseUsed(new Uint8Array([...record, ...link]), "used"))).toBe("journal.unsound");
});

test("beyond the most, the one that ends first leaves, and the horizon never comes back", () => {
  const full: UsedList = { entries: [usedOf(1, 300), usedOf(2, 100), usedOf(3, 200)], horizon: 50 };
  const once = withUsed(full, usedOf(4, 400), 3);
  expect(once).toEqual({ entries: [usedOf(1, 300), usedOf(3, 200), usedOf(4, 400)], horizon: 100 });
  const twice = withUsed(once, usedOf(5, 60), 3);
  expect(twice).toEqual({ ...once, horizon: 100 });
  expect(withUsed({ ...once, horizon: 900 }, usedOf(6, 500), 3).horizon).toBe(900);
  expect(withUsed(full, usedOf(4), 4)).toEqual({ entries: [...full.entries, usedOf(4)], horizon: 50 });
});

test("65,536 are remembered, and the next one moves the horizon", async () => {
  const host = makeHostDirectory();
  mkdirSync(dirname(host.paths.used), { recursive: true });
  const all = Array.from({ length: 65_536 }, (_, number) => usedOf(number));
  writeFileSync(host.paths.used, writeUsed({ entries: all, horizon: 0 }), { mode: 0o600 });
  expect(readUsed(host).horizon).toBe(0);
  await addUsed({ ...host, vfs }, usedOf(70_000));
  const used = readUsed(host);
  expect([used.isSpent(usedOf(0).approvalId), used.isSpent(usedOf(1).approvalId), used.horizon]).toEqual([
    false,
    true,
    usedOf(0).notAfter,
  ]);
});

test("what was used is spent from then on, and cannot be used again", async () => {
  const host = makeHostDirectory();
  expect(readUsed(host).isSpent(usedOf(1).approvalId)).toBe(false);
  await addUsed(host, usedOf(1));
  await addUsed({ ...host, vfs }, usedOf(2));
  const used = readUsed(host);
  expect([1, 2, 3].map((number) => used.isSpent(usedOf(number).approvalId))).toEqual([true, true, false]);
  await expect(addUsed({ ...host, vfs }, usedOf(1))).rejects.toThrow(/^use.spent: /);
});

test("a file that is damaged or that others can write to is named, and counts for everything", async () => {
  const host = makeHostDirectory();
  await addUsed({ ...host, vfs }, usedOf(1));
  chmodSync(host.paths.used, 0o620);
  expect(() => readUsed(host)).toThrow(/^journal.unsound: .*\/used: /);
  chmodSync(host.paths.used, 0o600);
  writeFileSync(host.paths.used, "");
  expect(() => readUsed(host)).toThrow(/^journal.unsound: .*\/used: /);
  await expect(addUsed({ ...host, vfs }, usedOf(2))).rejects.toThrow(/^journal.unsound: /);
  expect(readFileSync(host.paths.used).byteLength).toBe(0);
});

test("no power cut takes what was added, or leaves a file that is not whole", async () => {
  const host = makeHostDirectory();
  const directory = dirname(host.paths.used);
  const above: string[] = [];
  for (let at = directory; at !== "/"; at = dirname(at)) above.push(at);
  mkdirSync(directory, { recursive: true });
  const memory = faultyVfs({ directories: above });
  const promised: number[] = [];
  for (let number = 1; number <= 6; number += 1) {
    await addUsed({ ...host, vfs: recordingVfs(memory, vfs) }, usedOf(number));
    promised.push(memory.ops);
  }
  let cuts = 0;
  for (let op = 0; op <= memory.ops; op += 1) {
    for (let again = 0; again < 10; again += 1) {
      const left = memory.imageAt(op, new Random(31, op * 10 + again)).contents();
      const bytes = left.get(host.paths.used);
      const { entries } = bytes === undefined ? emptyUsed : parseUsed(bytes, "used");
      const least = promised.filter((at) => at <= op).length;
      expect(entries.length).toBeGreaterThanOrEqual(least);
      expect(entries).toEqual(Array.from(entries, (_, index) => usedOf(index + 1)));
      cuts += 1;
    }
  }
  expect(cuts).toBeGreaterThan(300);
});
