import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { detectSandbox, requireLevel } from "./detect-sandbox.ts";
import { isAtLeast } from "./level.ts";
import { maskControls } from "./mask-controls.ts";
import { makeRunDirectory } from "./runtime-directory.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "gatehouse-sandbox-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("the strongest level that holds is found by trying, and every weaker one that was not needed is left out", async () => {
  const { level, tried } = await detectSandbox({ runtimeDirectory: directory });
  expect(tried.at(-1)).toMatchObject({ level, works: true });
  expect(tried.slice(0, -1).every(({ works, reason }) => !works && reason.length > 10)).toBe(true);
  expect(readdirSync(directory)).toEqual([]);
});

test("a host that offers less than is accepted is refused with what was tried", () => {
  const found = {
    level: "none",
    tried: [
      { level: "namespaces", works: false, reason: "bubblewrap is not installed" },
      { level: "landlock", works: false, reason: "setpriv here knows no Landlock; util-linux 2.41 or later does" },
      { level: "none", works: true, reason: "limits and a deadline, no fence" },
    ],
  } as const;
  expect(() => requireLevel(found, "none")).not.toThrow();
  expect(() => requireLevel(found, "landlock")).toThrow(
    /"landlock", and this host offers "none" \(namespaces: bubblewrap is not installed; landlock: setpriv here knows no Landlock/,
  );
});

test("namespaces are more than Landlock, and Landlock is more than nothing", () => {
  expect(isAtLeast("namespaces", "landlock")).toBe(true);
  expect(isAtLeast("landlock", "landlock")).toBe(true);
  expect(isAtLeast("none", "landlock")).toBe(false);
  expect(isAtLeast("landlock", "namespaces")).toBe(false);
});

test("a runtime directory that others can change, or that is none, is refused by its name", () => {
  const open = join(directory, "open");
  mkdirSync(open);
  chmodSync(open, 0o777);
  expect(() => makeRunDirectory(open)).toThrow(/open cannot hold active plugins: others may write to it/);
  symlinkSync(directory, join(directory, "link"));
  expect(() => makeRunDirectory(join(directory, "link"))).toThrow(/it is not a directory/);
});

test("what a process that is gone has left is taken away; what a living one or somebody else has there stays", () => {
  mkdirSync(join(directory, "run-1-0-000000000000000000"));
  writeFileSync(join(directory, "run-1-0-000000000000000000", "artifact"), "old");
  mkdirSync(join(directory, "somebody-else"));
  const mine = makeRunDirectory(directory);
  const another = makeRunDirectory(directory);
  const names = new Set([mine, another, "somebody-else"].map((path) => path.split("/").at(-1)));
  expect(new Set(readdirSync(directory))).toEqual(names);
});

test("text of a plugin cannot move a cursor, change a title or turn the reading direction", () => {
  expect(maskControls("a\u001b]0;title\u0007b\u009bc\u202ed\u2028e\ud800\tf\r\ng\rh")).toBe(
    "a\u{FFFD}]0;title\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}e\u{FFFD}\tf\ng\u{FFFD}h",
  );
});
