import { linkSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { mostToldBytes, mostToldLength } from "@gatehouse/contract";
import type { LogTail } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { makeStateGround } from "../../test/state-ground.ts";
import { tailLog } from "./tail-log.ts";

const ofFile = (path: string, lines: number): LogTail => ({ kind: "log.tail", source: { from: "file", path }, lines });
const ofUnit = (lines: number): LogTail => ({
  kind: "log.tail",
  source: { from: "journal", unit: "web.service" },
  lines,
});
const bounds = { mostBytes: mostToldBytes, mostMs: 5_000 };
const asked = "journalctl --unit web.service --lines 2 --output short-iso --no-pager --quiet";

test("the journal is asked with the words of the plan, and the last lines are told in their order", async () => {
  const { ground, lines } = makeStateGround({ [asked]: { stdout: "old\none\ntwo\n" } });
  expect(await tailLog.read(ground, ofUnit(2), bounds)).toEqual({ lines: ["one", "two"] });
  expect(lines).toEqual([asked]);
});

test.each([
  [{ code: 1, stderr: "no journal" }, "state.unreadable"],
  [{ code: null, cut: "time" as const }, "read.limit"],
])("a journal that ends with %j is told by its code", async (answer, code) => {
  const { ground } = makeStateGround({ [asked]: answer });
  expect(await tailLog.read(ground, ofUnit(2), bounds)).toEqual({ lines: [], code });
});

test("a journal has the time there is, and one that does not answer is left to itself", async () => {
  const { ground } = makeStateGround();
  const given: unknown[] = [];
  const run: typeof ground.run = (_program, _words, mostMs) => {
    given.push(mostMs);
    return new Promise(() => undefined);
  };
  expect(await tailLog.read({ ...ground, run }, ofUnit(2), { ...bounds, mostMs: 1 })).toEqual({
    lines: [],
    code: "read.limit",
  });
  expect(given).toEqual([1]);
});

test("the end of a file is told, also without a line feed at its end", async () => {
  const { ground, write } = makeStateGround();
  write("/var/log/web.log", "one\n\ntwo\nthree");
  expect(await tailLog.read(ground, ofFile("/var/log/web.log", 3), bounds)).toEqual({
    lines: ["", "two", "three"],
  });
  write("/var/log/empty.log", "");
  expect(await tailLog.read(ground, ofFile("/var/log/empty.log", 3), bounds)).toEqual({ lines: [] });
});

test("of a large file only the end is read, and no half of a line is told", async () => {
  const { ground, write } = makeStateGround();
  write("/var/log/web.log", `${"x".repeat(400 * 1_024)}\nlast\n`);
  expect(await tailLog.read(ground, ofFile("/var/log/web.log", 10), bounds)).toEqual({ lines: ["last"] });
});

test("of a last line that is longer than what is read, its end is told", async () => {
  const { ground, write } = makeStateGround();
  for (const end of ["", "\n"]) {
    write("/var/log/web.log", `first\n${"x".repeat(300 * 1_024)}${end}`);
    const told = { lines: ["x".repeat(mostToldLength)] };
    expect(await tailLog.read(ground, ofFile("/var/log/web.log", 10), bounds)).toEqual(told);
  }
});

test("a log whose newest line has no room is told as too much", async () => {
  const { ground, write } = makeStateGround();
  write("/var/log/web.log", "a line that is longer than that\n");
  const told = await tailLog.read(ground, ofFile("/var/log/web.log", 10), { ...bounds, mostBytes: 20 });
  expect(told).toEqual({ lines: [], code: "read.limit" });
});

test("a journal is asked for as many lines as could be told, and no more", async () => {
  const { ground, lines } = makeStateGround({ journalctl: { stdout: "\n".repeat(5_000) } });
  const told = await tailLog.read(ground, ofUnit(10_000), bounds);
  const wanted = Number(/--lines (\d+)/.exec(lines[0] ?? "")?.[1]);
  expect(told.lines.length).toBeGreaterThan(1_000);
  expect(wanted).toBeGreaterThanOrEqual(told.lines.length);
  expect(wanted).toBeLessThan(2 * told.lines.length);
});

test("as many lines are told as there is room for in the signed end, the newest kept", async () => {
  const { ground, write } = makeStateGround();
  write("/var/log/web.log", Array.from({ length: 10_000 }, (_, index) => `line ${index}\n`).join(""));
  const { lines } = await tailLog.read(ground, ofFile("/var/log/web.log", 10_000), bounds);
  expect(lines.at(-1)).toBe("line 9999");
  const form = JSON.stringify({ a: [{ lines }] }, null, 2);
  expect(form.length).toBeLessThanOrEqual(mostToldBytes + 64);
  expect(lines.length).toBeGreaterThan(500);
  expect(await tailLog.read(ground, ofFile("/var/log/web.log", 10_000), { ...bounds, mostBytes: 50 })).toEqual({
    lines: ["line 9998", "line 9999"],
  });
});

test("a line is made visible, and is no longer than it may be", async () => {
  const { ground, write } = makeStateGround();
  const evil = "\u001b[2Jred\u202e\r";
  write("/var/log/web.log", `${evil}\n${"a".repeat(399)}\u{1f600}b\n`);
  const { lines } = await tailLog.read(ground, ofFile("/var/log/web.log", 2), bounds);
  expect(lines).toEqual([" [2Jred", `${"a".repeat(399)}\ufffd`]);
});

test("bytes that are no text are told as such", async () => {
  const { ground, write } = makeStateGround();
  write("/var/log/web.log", Uint8Array.of(0x61, 0xff, 0x0a));
  expect(await tailLog.read(ground, ofFile("/var/log/web.log", 1), bounds)).toEqual({ lines: ["a\ufffd"] });
});

test("no link is followed, on the way or at the end, and nothing but a plain file with one name is read", async () => {
  const { ground, write, host } = makeStateGround();
  const at = (path: string) => join(host.root, path);
  write("/var/lib/gatehouse/host.key", "secret\n");
  mkdirSync(at("/var/log/directory"), { recursive: true });
  symlinkSync("/var/lib/gatehouse/host.key", at("/var/log/link.log"));
  symlinkSync("../lib/gatehouse", at("/var/log/way"));
  linkSync(at("/var/lib/gatehouse/host.key"), at("/var/log/second.log"));
  const cases = [
    ["/var/log/link.log", "path.symlink"],
    ["/var/log/way/host.key", "path.symlink"],
    ["/var/log/second.log", "path.kind"],
    ["/var/log/directory", "path.kind"],
    ["/var/log/none.log", "state.unreadable"],
  ] as const;
  for (const [path, code] of cases) {
    expect(await tailLog.read(ground, ofFile(path, 5), bounds), path).toEqual({ lines: [], code });
  }
});

test("what fails without a code is told as unreadable", async () => {
  const { ground } = makeStateGround();
  const run = () => Promise.reject(new Error("no"));
  expect(await tailLog.read({ ...ground, run }, ofUnit(2), bounds)).toEqual({
    lines: [],
    code: "state.unreadable",
  });
});
