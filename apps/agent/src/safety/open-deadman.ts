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
  const { paths, findUptime } = deps;
  const command = deadmanCommand(paths.rescue, "run", task);
  // Read before the timer starts: what is confirmed before this deadline was confirmed before the timer's.
  const uptime = findUptime();
  if (uptime === undefined) throw fault("deadman.arm", "this host does not say how long it has been running");
  await startTimer(deps, command, uptime.ms * 1_000 + windowSeconds * 1_000_000);
  const first = await findTimer(deps);
  let flaw = findUnitFlaw(first, command) ?? findTimeFlaw(first, windowSeconds);
  if (flaw !== undefined && findUnitFlaw(first, command) === undefined && first.startedUs !== undefined) {
    // The host slept since its boot: the uptime counts that, and the clock of timers does not.
    await stopDeadman(deps);
    await startTimer(deps, command, first.startedUs + windowSeconds * 1_000_000);
    const second = await findTimer(deps);
    flaw = findUnitFlaw(second, command) ?? findTimeFlaw(second, windowSeconds);
  }
  if (flaw === undefined) return { deadlineMs: uptime.ms + windowSeconds * 1_000 };
  await stopDeadman(deps);
  throw fault("deadman.readback", flaw);
}

/**
 * By the clock that counts from the machine's start. systemd itself refuses a name that is taken, so that nobody else's unit is
 * replaced; one of an earlier change that has ended, and failed, only looks taken.
 */
async function startTimer(deps: DeadmanDeps, command: readonly string[], elapsesUs: number): Promise<void> {
  const { paths, run } = deps;
  const [managerUs] = await askSystemd(deps, manager, ["UserspaceTimestampMonotonic"]);
  const startedUs = microsecondsOf(managerUs);
  if (startedUs === undefined) throw fault("deadman.arm", "systemd does not say over the bus when it was started");
  await resetFailed(deps);
  const armed = await run("systemd-run", armArguments(settingsNow(paths), command, elapsesUs - startedUs));
  if (armed.code === 0) return;
  // One that took too long may have started it; one that was refused has met somebody else's.
  if (armed.cut !== undefined) await stopDeadman(deps);
  throw fault("deadman.arm", `systemd-run ended with ${exitOf(armed)}: ${lastLine(armed)}`);
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
  return (said.split("\n").at(-1) ?? "").slice(0, 300);
}
