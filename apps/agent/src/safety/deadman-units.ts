import { deadmanUnits, serviceSettings, unitNames } from "../host/unit-files.ts";

/** What the helper's unit says about being a service that stays; whatever takes a change back runs once, with all the memory it needs. */
const notForDeadman = ["Type", "ExecStart", "StateDirectory", "StateDirectoryMode", "MemoryMax", "TasksMax"];

/** The exit of a program that found nothing to take back: running it again would not change that. */
export const nothingExit = 65;

/** What a unit has that must end its work: it is tried for ever, is the last to be ended for want of memory, and outlives a shutdown of others. */
const ownSettings = [
  "Type=oneshot",
  "TimeoutStartSec=120s",
  "Restart=on-failure",
  "RestartSec=1s",
  `RestartPreventExitStatus=${nothingExit}`,
  // Otherwise systemd gives up after five tries.
  "StartLimitIntervalSec=0",
  "KillMode=control-group",
  "OOMScoreAdjust=-900",
  "DefaultDependencies=no",
  "ReadWritePaths=/var/lib/gatehouse",
];

/** The longest that systemd lets the trial run, and a little for its start. */
export const checkMs = 130_000;

/** The helper's own bounds, with what the ceiling opened for it: what takes a change back can write what made it, and no more. */
export function deadmanSettings(dropIn: string): string[] {
  const opened = dropIn.split("\n").filter((line) => /^Read(Write|Only)Paths=/.test(line));
  return [...ownSettings, ...serviceSettings(unitNames.helper, notForDeadman), ...opened];
}

/** What the units run; no shell reads it. */
export function deadmanCommand(program: string, verb: "check" | "run", task: string): readonly string[] {
  return [program, "deadman", verb, "--task", task];
}

/** systemd-run gives the timer and what it starts one name. */
const nameOf = (unit: string) => unit.replace(/\.service$/, "");

const asProperties = (settings: readonly string[]) => settings.map((line) => `--property=${line}`);

/** For systemd-run: the trial, in the same unit as the real one but for its name and that it is not repeated. */
export function checkArguments(settings: readonly string[], command: readonly string[]): string[] {
  const waiting = ["--quiet", "--wait", "--collect", "--pipe", `--unit=${nameOf(deadmanUnits.check)}`];
  return [...waiting, ...asProperties([...settings, "Restart=no"]), "--", ...command];
}

/**
 * For systemd-run: the timer, by the time since the manager's own start. One that counts from its own start would begin anew at every
 * reload of systemd, and so with every package that is installed.
 */
export function armArguments(settings: readonly string[], command: readonly string[], startupUs: number): string[] {
  const timer = ["AccuracySec=100ms", "RemainAfterElapse=no", "DefaultDependencies=no"];
  return [
    "--quiet",
    `--unit=${nameOf(deadmanUnits.service)}`,
    `--on-startup=${startupUs}us`,
    ...timer.map((line) => `--timer-property=${line}`),
    ...asProperties(settings),
    "--",
    ...command,
  ];
}

/** For systemd-run: the same unit at once, where there is no timer any more that has it. */
export function fireArguments(settings: readonly string[], command: readonly string[]): string[] {
  return [
    "--quiet",
    "--no-block",
    `--unit=${nameOf(deadmanUnits.service)}`,
    ...asProperties(settings),
    "--",
    ...command,
  ];
}
