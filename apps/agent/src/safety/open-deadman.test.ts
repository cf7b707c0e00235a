import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type AgentPaths, agentPaths } from "../config.ts";
import type { HostRun, RunOnHost } from "../host/run-on-host.ts";
import type { Uptime } from "../local/uptime.ts";
import { sampleTask } from "./journal-cases.ts";
import { openDeadman } from "./open-deadman.ts";

/** By the beginning of a line: one answer for all, or one for each time, the last for all that follow. */
type Answers = Readonly<Record<string, Partial<HostRun> | readonly Partial<HostRun>[]>>;

let paths: AgentPaths;

beforeEach(async () => {
  paths = agentPaths(await mkdtemp(join(tmpdir(), "gatehouse-deadman-")));
});
afterEach(() => rm(paths.root, { recursive: true, force: true }));

const unitPath = "/org/freedesktop/systemd1/unit/gatehouse_2ddeadman_2e";
const asked = (path: string, part: string) =>
  `busctl --json=short get-property org.freedesktop.systemd1 ${path} org.freedesktop.systemd1.${part}`;
const lines = (...values: readonly unknown[]) => ({
  stdout: values.map((data) => `${JSON.stringify({ type: "x", data })}\n`).join(""),
});
const askManager = asked("/org/freedesktop/systemd1", "Manager");
const askTimerUnit = asked(`${unitPath}timer`, "Unit");
const askElapse = asked(`${unitPath}timer`, "Timer");
const askLoad = asked(`${unitPath}service`, "Unit");
const askCommand = asked(`${unitPath}service`, "Service");
const running = (words: readonly string[]) => lines([[words[0], words, false, 0, 0, 0, 0, 0, 0, 0]]);
const command = (verb = "run", task = sampleTask) => [paths.rescue, "deadman", verb, "--task", task];

const bootUs = 5_000_000;
const startedUs = 100_020_000;

/** A systemd on which everything goes well: the machine runs for 100 s, and the window is 60 s. */
const well = (): Answers => ({
  [askManager]: lines(bootUs),
  [askTimerUnit]: lines("active", startedUs),
  [askElapse]: lines(160_000_000),
  [askLoad]: lines("loaded"),
  [askCommand]: running(command()),
});

function host(changed: Answers, findUptime = (): Uptime | undefined => ({ boot: "b", ms: 100_000 })) {
  const table = { ...well(), ...changed };
  const done: string[] = [];
  const times = new Map<string, number>();
  const run: RunOnHost = async (program, args) => {
    const line = [program, ...args].join(" ");
    done.push(line);
    const known = Object.keys(table).find((beginning) => line.startsWith(beginning));
    const answers: readonly Partial<HostRun>[] = [table[known ?? ""] ?? {}].flat();
    const time = times.get(known ?? "") ?? 0;
    times.set(known ?? "", time + 1);
    const one = answers[Math.min(time, answers.length - 1)];
    return { code: 0, stdout: "", stderr: "", ...one };
  };
  const deadman = openDeadman({ paths, run, findUptime });
  return { deadman, done, started: () => done.filter((line) => line.startsWith("systemd-run ")) };
}

const stops = "systemctl stop gatehouse-deadman.timer";

test("a trial runs the program in the unit that would take the change back, once", async () => {
  const { deadman, started } = host({});
  await deadman.check(sampleTask);
  expect(started()).toHaveLength(1);
  expect(started()[0]).toMatch(
    /^systemd-run --quiet --wait --collect --pipe --unit=gatehouse-deadman-check --property/,
  );
  expect(started()[0]).toMatch(/ --property=Restart=no -- /);
  expect(started()[0]).toContain(` -- ${command("check").join(" ")}`);
});

test.each([
  [{ code: 65, stderr: "first\ndeadman.nothing: no change is open\n" }, /^deadman\.check: .*65: deadman\.nothing: no/],
  [{ code: 1, stdout: "said on the other stream\n" }, /found 1: said on the other stream/],
  [{ code: null, stderr: "spawn systemd-run ENOENT" }, /found none: spawn systemd-run ENOENT/],
  [{ code: 203 }, /found 203: it said nothing/],
])("a trial that ends with %j refuses the change", async (ended, problem) => {
  const { deadman, done } = host({ "systemd-run": ended });
  await expect(deadman.check(sampleTask)).rejects.toThrowError(problem);
  expect(done).not.toContain("systemctl stop --no-block gatehouse-deadman-check.service");
});

test("a trial that does not end is ended, with its unit", async () => {
  const { deadman, done } = host({ "systemd-run": { code: null, cut: "time" } });
  await expect(deadman.check(sampleTask)).rejects.toThrowError(/deadman\.check: .*cut for its time/);
  expect(done.at(-1)).toBe("systemctl stop --no-block gatehouse-deadman-check.service");
});

test("the timer counts from the manager's start, and the deadline is told by the uptime", async () => {
  const { deadman, done, started } = host({});
  expect(await deadman.arm(sampleTask, 60)).toEqual({ deadlineMs: 160_000 });
  expect(started()).toHaveLength(1);
  expect(started()[0]).toMatch(/^systemd-run --quiet --unit=gatehouse-deadman --on-startup=155000000us /);
  expect(started()[0]).not.toContain("on-active");
  expect(started()[0]).toContain(` -- ${command().join(" ")}`);
  expect(done).not.toContain(stops);
});

test("what takes the change back may write where the ceiling lets the helper write", async () => {
  await mkdir(dirname(paths.helperDropIn), { recursive: true });
  await writeFile(
    paths.helperDropIn,
    "# note\n[Service]\nReadWritePaths=-/etc/nginx\nReadOnlyPaths=-/usr/lib/gatehouse\n",
  );
  const { deadman, started } = host({});
  await deadman.arm(sampleTask, 60);
  expect(started()[0]).toContain(
    " --property=ReadWritePaths=-/etc/nginx --property=ReadOnlyPaths=-/usr/lib/gatehouse ",
  );
});

test("a drop-in that cannot be read starts nothing", async () => {
  await mkdir(paths.helperDropIn, { recursive: true });
  const { deadman, started } = host({});
  await expect(deadman.arm(sampleTask, 60)).rejects.toThrowError(/EISDIR/);
  expect(started()).toEqual([]);
});

test("a name that somebody else holds is refused, and theirs is left alone", async () => {
  const { deadman, done } = host({
    "systemd-run": {
      code: 1,
      stderr: "Failed to start transient timer unit: Unit gatehouse-deadman.timer was already loaded\n",
    },
  });
  await expect(deadman.arm(sampleTask, 60)).rejects.toThrowError(/^deadman\.arm: .*was already loaded/);
  expect(done).not.toContain(stops);
  expect(done).toContain("systemctl reset-failed gatehouse-deadman.service");
});

test("a manager that answers too late leaves no timer", async () => {
  const { deadman, done } = host({ "systemd-run": { code: null, cut: "time" } });
  await expect(deadman.arm(sampleTask, 60)).rejects.toThrowError(/^deadman\.arm/);
  expect(done).toContain(stops);
});

test("a host that does not say its uptime, and a bus that does not answer, arm nothing", async () => {
  const silent = host({}, () => undefined);
  await expect(silent.deadman.arm(sampleTask, 60)).rejects.toThrowError(
    /^deadman\.arm: .*how long it has been running/,
  );
  expect(silent.started()).toEqual([]);
  for (const answer of [{ code: 1 }, lines("text"), { stdout: "no json\n" }, { stdout: "null\n" }]) {
    const { deadman, started } = host({ [askManager]: answer });
    await expect(deadman.arm(sampleTask, 60)).rejects.toThrowError(/^deadman\.arm: .*over the bus/);
    expect(started()).toEqual([]);
  }
});

test("on a host that has slept the timer is armed once more, by its own clock", async () => {
  const { deadman, done, started } = host({
    [askTimerUnit]: [lines("active", startedUs - 7_000_000), lines("active", startedUs - 6_920_000)],
    [askElapse]: [lines(160_000_000), lines(startedUs + 53_000_000)],
  });
  expect(await deadman.arm(sampleTask, 60)).toEqual({ deadlineMs: 160_000 });
  expect(started()).toHaveLength(2);
  expect(started()[1]).toContain(` --on-startup=${startedUs - 7_000_000 + 60_000_000 - bootUs}us `);
  expect(done.filter((line) => line === stops)).toHaveLength(1);
});

test("a host that stood still while its timer was started is not taken for one that has slept", async () => {
  // Two seconds late at first; the second, started two seconds ahead for it, is at once.
  const { deadman, done, started } = host({
    [askTimerUnit]: [lines("active", startedUs + 2_000_000), lines("active", startedUs)],
    [askElapse]: [lines(160_000_000), lines(162_020_000), lines(160_000_000)],
  });
  expect(await deadman.arm(sampleTask, 60)).toEqual({ deadlineMs: 160_000 });
  expect(started()).toHaveLength(3);
  expect(started()[2]).toContain(` --on-startup=${startedUs + 60_000_000 - bootUs}us `);
  expect(done.filter((line) => line === stops)).toHaveLength(2);
});

test("a timer that is off a third time is stopped and refused", async () => {
  const { deadman, done, started } = host({ [askElapse]: lines(168_000_000) });
  await expect(deadman.arm(sampleTask, 60)).rejects.toThrowError(/^deadman\.readback: expected .*60 s, found 67\.98 s/);
  expect(started()).toHaveLength(3);
  expect(done.filter((line) => line === stops)).toHaveLength(3);
});

test.each([
  ["is not active", () => ({ [askTimerUnit]: lines("inactive", startedUs) }), /active timer, found inactive/],
  ["is not there", () => ({ [askTimerUnit]: { code: 1 } }), /active timer, found none/],
  ["has no unit", () => ({ [askLoad]: lines("not-found") }), /loaded unit, found not-found/],
  ["has a unit that nobody tells of", () => ({ [askLoad]: lines(1) }), /loaded unit, found none/],
  ["runs for another task", () => ({ [askCommand]: running(command("run", "task_other")) }), /found ".*task_other"/],
  ["runs with one word more", () => ({ [askCommand]: running([...command(), "x"]) }), / x"/],
  ["runs nothing", () => ({ [askCommand]: lines([]) }), /found ""/],
  ["runs in another form", () => ({ [askCommand]: lines(["text"]) }), /found ""/],
  ["runs words that are none", () => ({ [askCommand]: lines([["a", [1]]]) }), /found ""/],
  ["has no beginning", () => ({ [askTimerUnit]: lines("active") }), /after 60 s, found none/],
])("a timer that %s is stopped and refused, and not tried again", async (_, answers, problem) => {
  const { deadman, done, started } = host(answers());
  await expect(deadman.arm(sampleTask, 60)).rejects.toThrowError(problem);
  expect(started()).toHaveLength(1);
  expect(done).toContain(stops);
});

test("a timer that never ends is not one", async () => {
  const { deadman } = host({ [askElapse]: { stdout: '{"type":"t","data":18446744073709551615}\n' } });
  await expect(deadman.arm(sampleTask, 60)).rejects.toThrowError(/^deadman\.readback: .*found none/);
});

test("fired early, the unit that waits is started, and nobody waits for it", async () => {
  const { deadman, done, started } = host({});
  await deadman.fire(sampleTask);
  expect(done.at(-1)).toBe("systemctl start --no-block gatehouse-deadman.service");
  expect(started()).toEqual([]);
});

test.each([
  ["that is gone", { "systemctl start": { code: 5 } }],
  ["of another change", { [asked(`${unitPath}service`, "Service")]: lines([["x", ["x"]]]) }],
])("fired with a unit %s, one is made at once", async (_, answers) => {
  const { deadman, started } = host(answers);
  await deadman.fire(sampleTask);
  expect(started()).toHaveLength(1);
  expect(started()[0]).toMatch(/^systemd-run --quiet --no-block --unit=gatehouse-deadman --property=Type=oneshot /);
  expect(started()[0]).toContain(` -- ${command().join(" ")}`);
});

test("fired without a bus, the unit that waits is still started", async () => {
  const { deadman, started } = host({ [askCommand]: { code: 1 } });
  await deadman.fire(sampleTask);
  expect(started()).toEqual([]);
});

test("a change that cannot be taken back now is told", async () => {
  const { deadman } = host({ "systemctl start": { code: 5 }, "systemd-run": { code: 1, stderr: "taken" } });
  await expect(deadman.fire(sampleTask)).rejects.toThrowError(/^deadman\.arm: .*taken/);
});

const shown = (active: string) => ({ stdout: `LoadState=loaded\nActiveState=${active}\n` });

test("stopped, there is neither a timer nor a failed unit, and where there was none it is the same", async () => {
  const { deadman, done } = host({});
  await deadman.stop();
  expect(done).toEqual([
    stops,
    "systemctl reset-failed gatehouse-deadman.timer",
    "systemctl reset-failed gatehouse-deadman.service",
  ]);
  await host({ [stops]: { code: 5 }, "systemctl show": shown("inactive") }).deadman.stop();
});

test("a timer that cannot be stopped is told, and so is a systemd that does not answer", async () => {
  const failed = { [stops]: { code: 1, stderr: "Access denied" } };
  for (const show of [shown("active"), { code: 1 }]) {
    const { deadman } = host({ ...failed, "systemctl show": show });
    await expect(deadman.stop()).rejects.toThrowError(/^agent\.command_failed: .*Access denied/);
  }
});
