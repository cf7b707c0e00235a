import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ActionEnd, StartOptions } from "./action.ts";
import { type Launcher, openLauncher, type StagedArtifact } from "./open-launcher.ts";
import { findProcess, processIds } from "./process-table.ts";

const directory = mkdtempSync(join(tmpdir(), "gatehouse-launcher-"));
const runtimeDirectory = join(directory, "runtime");
const troubles: string[] = [];
let launcher: Launcher;

beforeAll(async () => {
  // Whatever this machine offers: what is tested here holds on every level. `npm run sandbox` tests the fences.
  launcher = await openLauncher({ runtimeDirectory, least: "none", onTrouble: (message) => troubles.push(message) });
});
afterAll(async () => {
  await launcher.close();
  rmSync(directory, { recursive: true, force: true });
});

const limits: StartOptions = {
  // Far more than any of these actions takes: what is meant to reach its deadline has one of its own.
  deadlineMs: 100_000,
  outputBytes: 1024 * 1024,
  stderrBytes: 64 * 1024,
  memoryBytes: 256 * 1024 * 1024,
};

function artifact(text: string | Buffer, name = "artifact"): { path: string; sha256: string } {
  const path = join(directory, name);
  rmSync(path, { force: true });
  writeFileSync(path, text);
  return { path, sha256: createHash("sha256").update(text).digest("hex") };
}

function stage(...lines: readonly string[]): Promise<StagedArtifact> {
  return launcher.stage(artifact(`#!/bin/sh\n${lines.join("\n")}\n`));
}

interface Told {
  readonly end: ActionEnd;
  readonly lines: readonly string[];
}

async function run(
  script: readonly string[],
  options: Partial<StartOptions> = {},
  input: readonly string[] = [],
): Promise<Told> {
  const staged = await stage(...script);
  const action = staged.start("describe", { ...limits, ...options });
  const lines: string[] = [];
  action.lines((line) => lines.push(line));
  for (const line of input) action.send(line);
  const end = await action.onEnd;
  await staged.remove();
  return { end, lines };
}

function launcherProcess(): number {
  const found = processIds().find((pid) => {
    try {
      return (
        readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("sandbox/src/launcher/main.ts") &&
        parentOf(pid) === process.pid
      );
    } catch {
      return false;
    }
  });
  if (found === undefined) throw new Error("there is no launcher");
  return found;
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]);
}

/** The one action that runs at this moment. */
function startedGroup(): number {
  const launching = launcherProcess();
  return processIds().find((pid) => findProcess(pid)?.group === pid && parentOf(pid) === launching) ?? 0;
}

/** A program that nobody waits for to its end, and that only this run of the tests starts. */
const endless = `sleep 100000.${process.pid}`;

function endlessOnes(): number {
  const words = `${endless.replace(" ", "\0")}\0`;
  return processIds().filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "latin1") === words;
    } catch {
      return false;
    }
  }).length;
}

function living(group: number): number {
  return processIds().filter((pid) => {
    const row = findProcess(pid);
    return row?.group === group && row.state !== "Z";
  }).length;
}

test("an action is a fresh process that gets its name, a line and a fixed environment, and answers in lines", async () => {
  const { end, lines } = await run(["read -r line", 'echo "$1: $line"', "env"], { environment: { TZ: "UTC" } }, [
    '{"id":0}',
  ]);
  expect(end).toMatchObject({ outcome: "exited", code: 0, signal: null, stderr: "", reason: "it ended with 0" });
  expect(lines[0]).toBe('describe: {"id":0}');
  const names = lines.slice(1).map((line) => line.split("=")[0]);
  expect(names.filter((name) => !["PATH", "LANG", "HOME", "TZ", "PWD", "_", "OLDPWD"].includes(name ?? ""))).toEqual(
    [],
  );
  expect(lines).toContain("PATH=/usr/local/bin:/usr/bin:/bin");
});

test("an artifact whose bytes are not the ones named is never staged", async () => {
  const { path } = artifact("#!/bin/sh\nexit 0\n");
  const before = readdirSync(join(runtimeDirectory, readdirSync(runtimeDirectory)[0] ?? ""));
  await expect(launcher.stage({ path, sha256: "0".repeat(64) })).rejects.toMatchObject({
    code: "bundle.artifact_digest_mismatch",
  });
  await expect(launcher.stage({ path, sha256: "ABC" })).rejects.toMatchObject({ code: "sandbox.staging_failed" });
  expect(readdirSync(join(runtimeDirectory, readdirSync(runtimeDirectory)[0] ?? ""))).toEqual(before);
});

test("a link, a pipe, a directory or a missing file in the artifact's place is refused", async () => {
  const good = artifact("#!/bin/sh\nexit 0\n");
  symlinkSync(good.path, join(directory, "link"));
  mkdirSync(join(directory, "folder"));
  execFileSync("mkfifo", [join(directory, "pipe")]);
  for (const name of ["link", "folder", "pipe", "absent"])
    await expect(launcher.stage({ ...good, path: join(directory, name) })).rejects.toMatchObject({
      code: "sandbox.staging_failed",
    });
});

test("what the kernel cannot run is refused before anything could hand it to a shell", async () => {
  const foreign = Buffer.alloc(64);
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1]).copy(foreign);
  foreign.writeUInt16LE(0x15, 18);
  for (const bytes of [
    "echo hello\n",
    "",
    "#!\necho\n",
    "#!sh\necho\n",
    "#!/bin/sh",
    foreign,
    `#!/${"a".repeat(300)}\n`,
  ])
    await expect(launcher.stage(artifact(bytes))).rejects.toMatchObject({ code: "sandbox.staging_failed" });
});

test("the copy is private, and is what runs although the original was changed afterwards", async () => {
  const staged = await stage("echo original");
  writeFileSync(join(directory, "artifact"), "#!/bin/sh\necho changed\n");
  const home = join(runtimeDirectory, readdirSync(runtimeDirectory)[0] ?? "");
  const copy = join(home, readdirSync(home).find((name) => name.length === 36) ?? "");
  expect([home, copy, join(copy, "artifact")].map((path) => statSync(path).mode & 0o777)).toEqual([
    0o700, 0o700, 0o700,
  ]);
  const action = staged.start("describe", limits);
  const lines: string[] = [];
  action.lines((line) => lines.push(line));
  await action.onEnd;
  expect(lines).toEqual(["original"]);
  await staged.remove();
  expect(existsSync(copy)).toBe(false);
});

test("at the deadline everything ends, also what ignores signals and what was put in the background", async () => {
  const { end } = await run(
    ["trap '' TERM INT HUP", `(${endless} &)`, `${endless} & ${endless} & while :; do sleep 1; done`],
    { deadlineMs: 300 },
  );
  expect(end).toMatchObject({ outcome: "deadline", reason: "it did not end within 300 ms" });
  expect(end.ms).toBeGreaterThan(299);
  expect(endlessOnes()).toBe(0);
});

test("whatever an action starts has the lowest priority and is ended first when memory is short, and its timers are in no hurry", async () => {
  const staged = await stage("sleep 60 & sleep 60 & echo started", "wait");
  const action = staged.start("describe", limits);
  await new Promise<void>((resolve) => action.lines(() => resolve()));
  const group = startedGroup();
  const members = () =>
    processIds()
      .flatMap((pid) => findProcess(pid) ?? [])
      .filter((row) => row.group === group);
  await expect
    .poll(() => members().map(({ niceness }) => niceness))
    .toSatisfy((found: number[]) => found.length > 2 && found.every((nice) => nice === 10));
  const mark = (pid: number | "self") => readFileSync(`/proc/${pid}/oom_score_adj`, "latin1").trim();
  expect(members().map(({ pid }) => mark(pid))).toEqual(members().map(() => "1000"));
  expect([mark(launcherProcess()), Number(mark("self")) < 1_000]).toEqual([mark("self"), true]);
  // Both files are missing where the kernel does not know them, and the second is for root to read.
  if (existsSync(`/proc/${group}/autogroup`))
    await expect.poll(() => readFileSync(`/proc/${group}/autogroup`, "latin1")).toContain("nice 19");
  if (process.getuid?.() === 0)
    for (const { pid } of members())
      expect(readFileSync(`/proc/${pid}/timerslack_ns`, "latin1").trim()).toBe("5000000");
  if (process.getuid?.() === 0)
    expect(readFileSync(`/proc/${launcherProcess()}/timerslack_ns`, "latin1").trim()).toBe("50000");
  action.kill("enough");
  expect((await action.onEnd).outcome).toBe("killed");
  await staged.remove();
});

test("what an action leaves behind when it exits is ended too, and holds nothing up", async () => {
  const { end, lines } = await run([`(${endless} &)`, `${endless} &`, "echo answer"]);
  expect(end).toMatchObject({ outcome: "exited", code: 0 });
  expect(lines).toEqual(["answer"]);
  expect(endlessOnes()).toBe(0);
});

test("one byte of output too many ends it, on either stream, and so does a line that is not UTF-8", async () => {
  expect((await run(["printf 1234567"], { outputBytes: 7 })).end.outcome).toBe("exited");
  expect((await run(["printf 12345678; sleep 60"], { outputBytes: 7 })).end).toMatchObject({
    outcome: "output",
    reason: "it wrote more than 7 bytes",
  });
  const loud = await run(["printf 12345678 >&2; sleep 60"], { stderrBytes: 7 });
  expect(loud.end).toMatchObject({ outcome: "output", stderr: "1234567" });
  expect((await run(["printf 'ok\\n\\377\\n'; sleep 60"])).end).toMatchObject({
    outcome: "output",
    reason: "a line it wrote is not UTF-8",
  });
});

test("the bytes after the last line end are no line", async () => {
  const { end, lines } = await run(["printf 'one\\ntwo'"]);
  expect(lines).toEqual(["one"]);
  expect(end.reason).toBe("it ended with 0, and its last line had no line end");
});

test("more memory than allowed ends it, whoever of its processes holds it", async () => {
  const hold = [
    "x=0123456789012345678901234567890123456789012345678901234567890123",
    "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do x=$x$x; done",
    // Not its last command: a shell becomes its last command, and the memory would be gone.
    "sleep 60",
    ":",
  ];
  const { end } = await run(["(", ...hold, ") &", "sleep 60"], { memoryBytes: 16 * 1024 * 1024 });
  expect(end.outcome).toBe("memory");
  expect(end.reason).toMatch(/^it held \d+ MiB of memory, and 16 are allowed$/);
});

test("a kill ends it with the reason that was given, and everything of it is gone when that is told", async () => {
  const staged = await stage("sleep 60 & sleep 60 & echo up; sleep 60");
  const action = staged.start("health", limits);
  await new Promise<void>((resolve) => action.lines(() => resolve()));
  const group = startedGroup();
  expect(living(group)).toBeGreaterThanOrEqual(3);
  action.kill("the plugin was disabled");
  expect(await action.onEnd).toMatchObject({ outcome: "killed", reason: "the plugin was disabled" });
  expect(living(group)).toBe(0);
  action.send("too late");
  action.kill("too late");
  await staged.remove();
});

test("removing the copy ends what runs from it; a link planted in its place is not followed", async () => {
  const staged = await stage("echo up; sleep 60");
  const action = staged.start("plan", limits);
  await new Promise<void>((resolve) => action.lines(() => resolve()));
  const home = join(runtimeDirectory, readdirSync(runtimeDirectory)[0] ?? "");
  const copy = join(home, readdirSync(home).find((name) => name.length === 36) ?? "");
  const victim = join(directory, "victim");
  mkdirSync(victim);
  writeFileSync(join(victim, "artifact"), "somebody's");
  rmSync(copy, { recursive: true });
  symlinkSync(victim, copy);
  await expect(staged.remove()).rejects.toMatchObject({ code: "sandbox.staging_failed" });
  expect((await action.onEnd).outcome).toBe("killed");
  expect(readFileSync(join(victim, "artifact"), "utf8")).toBe("somebody's");
  rmSync(copy);
});

test("an action that cannot be started says so; a word that is no action is the caller's mistake", async () => {
  const staged = await launcher.stage(artifact("#!/nowhere/at/all\n"));
  expect((await staged.start("describe", limits).onEnd).outcome).toBe("failed_to_start");
  expect(() => staged.start("--describe", limits)).toThrow(TypeError);
  expect(() => staged.start("describe", { ...limits, environment: { LD_PRELOAD: "x" } })).toThrow(TypeError);
  expect(() => staged.start("describe", limits).send("a\nb")).toThrow(TypeError);
  await staged.remove();
});

test("a launcher that dies takes its plugins along, and the next action finds a new one with the same copies", async () => {
  const staged = await stage("sleep 60 & echo up; read -r line; echo again");
  const action = staged.start("describe", limits);
  await new Promise<void>((resolve) => action.lines(() => resolve()));
  const old = launcherProcess();
  const group = startedGroup();
  expect(living(group)).toBeGreaterThanOrEqual(2);
  process.kill(old, "SIGKILL");
  expect(await action.onEnd).toMatchObject({ outcome: "killed", reason: "the launcher ended" });
  expect(living(group)).toBe(0);
  const next = staged.start("describe", limits);
  const lines: string[] = [];
  next.lines((line) => lines.push(line));
  next.send("go");
  expect(await next.onEnd).toMatchObject({ outcome: "exited", code: 0 });
  expect(lines).toEqual(["up", "again"]);
  expect(launcherProcess()).not.toBe(old);
  expect(troubles).toEqual([expect.stringContaining("the plugin launcher ended (SIGKILL")]);
  await staged.remove();
});

test("many actions at once leave no descriptor and no file behind", async () => {
  const staged = await stage('read -r line; echo "$line"');
  const pid = launcherProcess();
  const count = () => readdirSync(`/proc/${pid}/fd`).length;
  const round = async () => {
    const told = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const action = staged.start("describe", limits);
        const lines: string[] = [];
        action.lines((line) => lines.push(line));
        action.send(`line ${index}`);
        const { outcome, reason, stderr } = await action.onEnd;
        return { outcome, reason, stderr, lines };
      }),
    );
    const good = { outcome: "exited", reason: "it ended with 0", stderr: "" };
    expect(told).toEqual(told.map((_, index) => ({ ...good, lines: [`line ${index}`] })));
  };
  await round();
  const before = count();
  await round();
  await expect.poll(count).toBeLessThanOrEqual(before);
  await staged.remove();
  expect(readdirSync(join(runtimeDirectory, readdirSync(runtimeDirectory)[0] ?? ""))).toEqual(["filter"]);
});

test("what a launcher has forked and not yet started ends with it too", async () => {
  const staged = await stage("sleep 60");
  const action = staged.start("describe", limits);
  const old = launcherProcess();
  // A child has its parent's command line until it starts something else. This one stays so.
  const words = readFileSync(`/proc/${old}/cmdline`, "latin1").split("\0").slice(2, -1);
  expect(words).toHaveLength(1);
  const forked = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1e6)", "--", ...words]);
  const ended = once(forked, "exit");
  process.kill(old, "SIGKILL");
  await action.onEnd;
  expect(await ended).toEqual([null, "SIGKILL"]);
  await staged.remove();
});

test("after closing nothing is left, and a start says that it is closed", async () => {
  const other = await openLauncher({ runtimeDirectory: join(directory, "other"), least: "none" });
  const staged = await other.stage(artifact("#!/bin/sh\necho up\nsleep 60\n"));
  const action = staged.start("describe", limits);
  await new Promise<void>((resolve) => action.lines(() => resolve()));
  await other.close();
  expect((await action.onEnd).outcome).toBe("killed");
  expect(readdirSync(join(directory, "other"))).toEqual([]);
  expect(await staged.start("describe", limits).onEnd).toMatchObject({
    outcome: "failed_to_start",
    reason: "the launcher is closed",
  });
  await staged.remove();
});

test("a launcher that hangs is replaced some time after the deadline", async () => {
  const staged = await stage("read -r line; echo back");
  const old = launcherProcess();
  process.kill(old, "SIGSTOP");
  const action = staged.start("describe", { ...limits, deadlineMs: 100 });
  expect((await action.onEnd).outcome).toBe("failed_to_start");
  const next = staged.start("describe", limits);
  next.send("go");
  expect(await next.onEnd).toMatchObject({ outcome: "exited", code: 0 });
  expect(launcherProcess()).not.toBe(old);
  await staged.remove();
});
