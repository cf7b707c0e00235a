import { readFileSync } from "node:fs";
import { fault } from "@gatehouse/contract/faults";
import type { HostRun } from "../host/run-on-host.ts";
import { findUnitStates } from "../host/systemd.ts";
import { deadmanUnits } from "../host/unit-files.ts";
import type { ChangeDeps, Deadman } from "./change.ts";
import {
  armArguments,
  checkArguments,
  checkMs,
  deadmanCommand,
  deadmanSettings,
  fireArguments,
} from "./deadman-units.ts";
import {
  commandOf,
  findTimeFlaw,
  findUnitFlaw,
  type FoundTimer,
  isSameCommand,
  microsecondsOf,
  readBusValues,
  textOf,
} from "./judge-timer.ts";

type DeadmanDeps = Pick<ChangeDeps, "paths" | "run" | "findUptime">;

export function openDeadman(deps: DeadmanDeps): Deadman {
  return {
    check: (task) => checkDeadman(deps, task),
    arm: (task, windowSeconds) => armDeadman(deps, task, windowSeconds),
    fire: (task) => fireDeadman(deps, task),
    stop: () => stopDeadman(deps),
  };
}

async function checkDeadman({ paths, run }: DeadmanDeps, task: string): Promise<void> {
  const command = deadmanCommand(paths.rescue, "check", task);
  await run("systemctl", ["reset-failed", deadmanUnits.check]);
  const tried = await run("systemd-run", checkArguments(settingsNow(paths), command), checkMs);
  if (tried.code === 0) return;
  // Ended with its caller alone, the unit would go on and keep its name from the next one.
  if (tried.cut !== undefined) await run("systemctl", ["stop", "--no-block", deadmanUnits.check]);
  throw fault("deadman.check", `expected exit 0, found ${exitOf(tried)}: ${lastLine(tried)}`);
}

async function armDeadman(
  deps: DeadmanDeps,
  task: string,
  windowSeconds: number,
): Promise<{ readonly deadlineMs: number }> {
  const wanted = { command: deadmanCommand(deps.paths.rescue, "run", task), windowSeconds };
  const timer = { ...wanted, settings: settingsNow(deps.paths), managerUs: await needManagerStart(deps) };
  // systemd itself refuses a name that is taken; one of an earlier change that has ended, and failed, only looks taken.
  await resetFailed(deps);
  let aheadUs = 0;
  for (let left = mostTimers; ; left -= 1) {
    const started = await startTimer(deps, timer, aheadUs);
    if (started.flaw === undefined) return { deadlineMs: started.deadlineMs };
    await stopDeadman(deps);
    if (started.aheadUs === undefined || left === 1) throw fault("deadman.readback", started.flaw);
    ({ aheadUs } = started);
  }
}

/**
 * On a host that slept since its boot the uptime is ahead of the clock of timers: by how much, the first timer shows.
 * One moment in which the host stands still spoils that measure, and the timer after it: the third has the next measure.
 */
const mostTimers = 3;

interface WantedTimer {
  readonly command: readonly string[];
  readonly windowSeconds: number;
  readonly settings: readonly string[];
  readonly managerUs: number;
}

interface StartedTimer {
  readonly deadlineMs: number;
  /** Why it is not the timer that was asked for. */
  readonly flaw: string | undefined;
  /** How far the uptime is ahead of the clock of timers; undefined where trying again would not help. */
  readonly aheadUs: number | undefined;
}

/** Nothing is done between reading the uptime and starting the timer: what is confirmed before the deadline comes before the timer's end. */
async function startTimer(deps: DeadmanDeps, timer: WantedTimer, aheadUs: number): Promise<StartedTimer> {
  const { settings, command, windowSeconds, managerUs } = timer;
  const uptime = deps.findUptime();
  if (uptime === undefined) throw fault("deadman.arm", "this host does not say how long it has been running");
  const nowUs = uptime.ms * 1_000 - aheadUs;
  const startupUs = nowUs - managerUs + windowSeconds * 1_000_000;
  const armed = await deps.run("systemd-run", armArguments(settings, command, startupUs));
  if (armed.code !== 0) {
    // One that took too long may have started it; one that was refused has met somebody else's.
    if (armed.cut !== undefined) await stopDeadman(deps);
    throw fault("deadman.arm", `systemd-run ended with ${exitOf(armed)}: ${lastLine(armed)}`);
  }
  const found = await findTimer(deps);
  const notOurs = findUnitFlaw(found, command);
  const canBeMended = notOurs === undefined && found.startedUs !== undefined;
  return {
    deadlineMs: uptime.ms + windowSeconds * 1_000,
    flaw: notOurs ?? findTimeFlaw(found, windowSeconds),
    aheadUs: canBeMended ? uptime.ms * 1_000 - found.startedUs : undefined,
  };
}

async function needManagerStart(deps: DeadmanDeps): Promise<number> {
  const [value] = await askSystemd(deps, manager, ["UserspaceTimestampMonotonic"]);
  const startedUs = microsecondsOf(value);
  if (startedUs === undefined) throw fault("deadman.arm", "systemd does not say over the bus when it was started");
  return startedUs;
}

/** A unit of that name that runs something else is not what takes this change back, and is left alone. */
async function fireDeadman(deps: DeadmanDeps, task: string): Promise<void> {
  const { paths, run } = deps;
  const command = deadmanCommand(paths.rescue, "run", task);
  const loaded = await findCommand(deps);
  if (loaded === undefined || isSameCommand(loaded, command)) {
    const { code } = await run("systemctl", ["start", "--no-block", deadmanUnits.service]);
    if (code === 0) return;
  }
  // After a boot, or when the timer has elapsed, there is none.
  await resetFailed(deps);
  const fired = await run("systemd-run", fireArguments(settingsNow(paths), command));
  if (fired.code !== 0) throw fault("deadman.arm", `systemd-run ended with ${exitOf(fired)}: ${lastLine(fired)}`);
}

/** The timer alone is stopped: what it starts may be who asks, and ends by itself when it sees that the change has ended. */
async function stopDeadman(deps: DeadmanDeps): Promise<void> {
  const { run } = deps;
  const stopped = await run("systemctl", ["stop", deadmanUnits.timer]);
  await resetFailed(deps);
  // There may have been none; whether there is one now is what counts.
  if (stopped.code === 0) return;
  const [timer] = (await findUnitStates(run, [deadmanUnits.timer])) ?? [];
  if (timer?.active === "inactive") return;
  throw fault("agent.command_failed", `${deadmanUnits.timer} could not be stopped: ${lastLine(stopped)}`);
}

/** Each by itself: one that is not there keeps no other from being reset. */
async function resetFailed({ run }: DeadmanDeps): Promise<void> {
  for (const unit of [deadmanUnits.timer, deadmanUnits.service]) await run("systemctl", ["reset-failed", unit]);
}

const systemd = "org.freedesktop.systemd1";
const manager = { path: "/org/freedesktop/systemd1", part: "Manager" };
const timerUnit = { path: "/org/freedesktop/systemd1/unit/gatehouse_2ddeadman_2etimer", part: "Unit" };
const serviceUnit = { path: "/org/freedesktop/systemd1/unit/gatehouse_2ddeadman_2eservice", part: "Unit" };

/** Over the bus: what systemctl prints is meant for people, and rounds times. */
async function askSystemd(
  { run }: DeadmanDeps,
  { path, part }: { readonly path: string; readonly part: string },
  names: readonly string[],
): Promise<unknown[]> {
  const words = ["--json=short", "get-property", systemd, path, `${systemd}.${part}`, ...names];
  const { code, stdout } = await run("busctl", words);
  return code === 0 ? readBusValues(stdout) : [];
}

async function findTimer(deps: DeadmanDeps): Promise<FoundTimer> {
  const [state, started] = await askSystemd(deps, timerUnit, ["ActiveState", "ActiveEnterTimestampMonotonic"]);
  const [elapses] = await askSystemd(deps, { ...timerUnit, part: "Timer" }, ["NextElapseUSecMonotonic"]);
  const [load] = await askSystemd(deps, serviceUnit, ["LoadState"]);
  return {
    state: textOf(state),
    startedUs: microsecondsOf(started),
    elapsesUs: microsecondsOf(elapses),
    serviceLoad: textOf(load),
    command: await findCommand(deps),
  };
}

async function findCommand(deps: DeadmanDeps): Promise<readonly string[] | undefined> {
  const [commands] = await askSystemd(deps, { ...serviceUnit, part: "Service" }, ["ExecStart"]);
  return commandOf(commands);
}

/** The ceiling may have been set since the last change. */
function settingsNow({ helperDropIn }: DeadmanDeps["paths"]): string[] {
  return deadmanSettings(readDropIn(helperDropIn));
}

/** Without one the ceiling opens nothing. */
function readDropIn(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

function exitOf({ code, cut }: HostRun): string {
  if (cut !== undefined) return `one that was cut for its ${cut}`;
  return code === null ? "none" : String(code);
}

function lastLine({ stdout, stderr }: HostRun): string {
  const said = stderr.trim() || stdout.trim() || "it said nothing";
  return said.slice(said.lastIndexOf("\n") + 1).slice(0, 300);
}
