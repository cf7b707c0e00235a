import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Launcher, openLauncher } from "./open-launcher.ts";

const directory = mkdtempSync(join(tmpdir(), "gatehouse-launcher-input-"));
let launcher: Launcher;
beforeAll(async () => {
  launcher = await openLauncher({ runtimeDirectory: join(directory, "runtime"), least: "none" });
});
afterAll(async () => {
  await launcher.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Sends everything while the process is still being started, so that all of it has to wait. */
async function run(script: string, input: readonly string[]) {
  const text = `#!/bin/sh\n${script}\n`;
  const path = join(directory, "artifact");
  writeFileSync(path, text);
  const staged = await launcher.stage({ path, sha256: createHash("sha256").update(text).digest("hex") });
  const action = staged.start("plan", {
    deadlineMs: 100_000,
    outputBytes: 1024,
    stderrBytes: 1024,
    memoryBytes: 256 * 1024 * 1024,
  });
  const lines: string[] = [];
  action.lines((line) => lines.push(line));
  for (const line of input) action.send(line);
  const end = await action.onEnd;
  await staged.remove();
  return { end, lines };
}

const longest = "x".repeat(16 * 1024 * 1024);

test("the longest question arrives whole, with what the protocol puts around it", async () => {
  const { end, lines } = await run("head -n 1 | wc -c", [`${longest}${"y".repeat(1_000)}`]);
  expect([end.outcome, lines.map((line) => line.trim())]).toEqual(["exited", [String(longest.length + 1_001)]]);
});

test("a plugin that reads nothing is ended when more than 16 MiB wait for it beside its question", async () => {
  const { end } = await run("exec sleep 100000", ["question", longest, longest]);
  expect(end).toMatchObject({ outcome: "killed", reason: "it does not read its input" });
});
