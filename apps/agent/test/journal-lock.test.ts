import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { childEnvironment } from "../../../tests/support/child-environment.ts";
import { openJournalLock } from "../src/safety/journal-lock.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "gatehouse-lock-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("one at a time: who comes second waits within this process, and is refused in another", async () => {
  const path = join(directory, "one");
  const [first, second] = [openJournalLock(path, 0), openJournalLock(path, 0)];
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const held = first(async () => {
    await gate.promise;
    order.push("first");
  });
  const waiting = first(async () => order.push("then"));
  await expect(second(async () => order.push("never"))).rejects.toThrow(
    /^journal\.locked: .*: another program holds the journal for more than 0 ms$/,
  );
  gate.resolve();
  await Promise.all([held, waiting]);
  await second(async () => order.push("second"));
  expect(order).toEqual(["first", "then", "second"]);
});

test("what fails under the lock frees it", async () => {
  const lock = openJournalLock(join(directory, "failed"), 0);
  await expect(lock(() => Promise.reject(new Error("in the middle")))).rejects.toThrow("in the middle");
  expect(await lock(async () => "free")).toBe("free");
});

test("whoever takes a change back goes on without it, is told once, and frees nobody else's", async () => {
  const path = join(directory, "insisting");
  const told: string[] = [];
  const [holder, rescue] = [openJournalLock(path, 0), openJournalLock(path, 0, (why) => void told.push(why.message))];
  const other = openJournalLock(path, 0);
  await holder(async () => {
    expect(await rescue(async () => "put back")).toBe("put back");
    expect(await rescue(async () => "and ended")).toBe("and ended");
    await expect(other(async () => "mine")).rejects.toThrow(/^journal\.locked/);
  });
  expect(told).toEqual([expect.stringMatching(/^journal\.locked/)]);
  const nowhere = openJournalLock(join(directory, "absent", "lock"), 0, (why) => void told.push(why.message));
  expect(await nowhere(async () => "put back")).toBe("put back");
  expect(told).toHaveLength(2);
});

test.each<[string, (path: string) => void, RegExp]>([
  ["a directory that is not there", (path) => rmSync(dirname(path), { recursive: true }), /unable to open/],
  ["a directory in its place", (path) => mkdirSync(path), /unable to open/],
  ["a file that is no lock", (path) => writeFileSync(path, "x".repeat(4096)), /not a database/],
])("%s is told as what it is, and not as another holder", async (name, meet, why) => {
  const path = join(directory, name, "lock");
  mkdirSync(dirname(path));
  meet(path);
  const refused = await openJournalLock(path, 0)(async () => "mine").catch((error: Error) => error.message);
  expect(refused).toMatch(/^journal\.locked: .*lock: it cannot be locked: /);
  expect(refused).toMatch(why);
  const told: string[] = [];
  const rescue = openJournalLock(path, 0, ({ message }) => void told.push(message));
  expect(await rescue(async () => "put back")).toBe("put back");
  expect(told).toEqual([refused]);
});

test("a holder that is killed holds it no longer", async () => {
  const path = join(directory, "killed");
  const source = new URL("../src/safety/journal-lock.ts", import.meta.url).href;
  const script = `import { openJournalLock } from ${JSON.stringify(source)};
await openJournalLock(${JSON.stringify(path)}, 0)(() => new Promise(() => { console.log("held"); setInterval(() => {}, 1000); }));`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    env: childEnvironment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  const lock = openJournalLock(path, 0);
  await expect(lock(async () => "mine")).rejects.toThrow(/^journal\.locked/);
  child.kill("SIGKILL");
  await once(child, "close");
  expect(await lock(async () => "mine")).toBe("mine");
});
