import { readFileSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { findTally, runCommand } from "./run-command.ts";

const node = (script: string): [string, ...string[]] => [process.execPath, "-e", script];

test("a command's output and exit code are kept", async () => {
  const run = await runCommand(node("console.log('out'); console.error('err'); process.exit(3)"), { limitSeconds: 60 });
  expect(run).toMatchObject({ code: 3, timedOut: false });
  expect(run.output.split("\n").sort()).toEqual(["", "err", "out"]);
});

test("the processor time of a command and of its children is told", async () => {
  const burn = "for (const end = process.cpuUsage().user + 300_000; process.cpuUsage().user < end; );";
  const parent = `require("node:child_process").execFileSync(process.execPath, ["-e", ${JSON.stringify(burn)}])`;
  expect((await runCommand(node(parent), { limitSeconds: 60 })).cpuSeconds).toBeGreaterThan(0.3);
});

test("a command that yields has a low priority, and so has what it starts", async () => {
  const child = "nice; cut -d ' ' -f 3 /proc/self/autogroup 2>/dev/null || echo 10";
  const run = await runCommand(["sh", "-c", child], { limitSeconds: 60, yields: true });
  expect(run).toMatchObject({ code: 0, output: "10\n10\n" });
});

test("a command that cannot be started is a failure with a reason", async () => {
  const run = await runCommand(["gatehouse-no-such-command"], { limitSeconds: 60 });
  expect(run.code).not.toBe(0);
  expect(run.output).toContain("gatehouse-no-such-command");
});

test("a command is killed with everything it started when its time is over", async () => {
  const forget = `
    const child = require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "inherit" });
    console.log("child " + child.pid);
    setInterval(() => {}, 1e6);`;
  // The minute is over when the child is there, however long that takes.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const run = await runCommand(node(forget), {
    limitSeconds: 60,
    echo: (text) => text.includes("child") && vi.advanceTimersByTime(60_000),
  });
  expect(run).toMatchObject({ code: 1, timedOut: true });
  await expect.poll(() => isRunning(childOf(run.output))).toBe(false);
});

test("a process that outlives its command is ended, so that the next suite finds a quiet machine", async () => {
  const leave = `
    const child = require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "inherit" });
    console.log("child " + child.pid);
    process.exit(0);`;
  const run = await runCommand(node(leave), { limitSeconds: 60 });
  expect(run).toMatchObject({ code: 0, timedOut: false });
  await expect.poll(() => isRunning(childOf(run.output))).toBe(false);
});

test("a command ends with whoever waits for it and is interrupted", async () => {
  const inner = `console.log("child " + process.pid); setInterval(() => {}, 1e6)`;
  const outer = `
    import { runCommand } from ${JSON.stringify(new URL("./run-command.ts", import.meta.url).href)};
    const echo = (text) => { process.stdout.write(text); process.kill(process.pid, "SIGTERM"); };
    await runCommand([process.execPath, "-e", ${JSON.stringify(inner)}], { limitSeconds: 600, echo });`;
  const run = await runCommand([process.execPath, "--input-type=module", "-e", outer], { limitSeconds: 600 });
  expect(run).toMatchObject({ code: 1, timedOut: false });
  await expect.poll(() => isRunning(childOf(run.output))).toBe(false);
});

test("the last plain line is the tally", () => {
  expect(findTally("1 passed, 0 failed\nnoise\n12 passed, 3 failed, 1 skipped\nmore noise\n")).toEqual({
    passed: 12,
    failed: 3,
    line: "12 passed, 3 failed, 1 skipped",
  });
});

test("a line that only looks like a tally is none", () => {
  expect(findTally("all 12 passed, 3 failed\n12 passed\n")).toBeUndefined();
});

function childOf(output: string): number {
  return Number(/child (\d+)/.exec(output)?.[1]);
}

/** A killed child of a dead parent may still wait to be reaped: a zombie is not running. */
function isRunning(pid: number): boolean {
  expect(pid).toBeGreaterThan(0);
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !/^State:\s+[ZX]/m.test(statusOf(pid));
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "State: X";
  }
}
