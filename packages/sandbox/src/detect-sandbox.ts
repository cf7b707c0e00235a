import { type SpawnSyncReturns, type StdioOptions, spawnSync } from "node:child_process";
import { closeSync, constants, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fault } from "@gatehouse/contract/faults";
import { actionEnvironment } from "./action-environment.ts";
import { commandLine, type SandboxSetup } from "./command-line.ts";
import { isAtLeast, type SandboxLevel, sandboxLevels } from "./level.ts";
import { processLimits } from "./limits.ts";
import { maskControls } from "./mask-controls.ts";
import { countTasksOfUser } from "./process-table.ts";
import { makeRunDirectory } from "./runtime-directory.ts";
import { type Architecture, seccompProgram } from "./seccomp/program.ts";
import { surveyHost } from "./survey-host.ts";

export interface TriedLevel {
  readonly level: SandboxLevel;
  readonly works: boolean;
  /** Plain words: what it did, or what stood in the way. */
  readonly reason: string;
}

export interface DetectedSandbox {
  /** The strongest that works here. */
  readonly level: SandboxLevel;
  readonly tried: readonly TriedLevel[];
}

/** Builds each sandbox as for a plugin and runs a script in it that tries to get out. What a version promises counts for nothing. */
export function detectSandbox(options: { readonly runtimeDirectory: string }): Promise<DetectedSandbox> {
  return Promise.resolve().then(() => {
    const directory = makeRunDirectory(options.runtimeDirectory);
    try {
      const { level, tried } = detectIn(directory);
      return { level, tried };
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
}

/** The same inside a run directory that stays, with what the launcher needs to build it again. */
export function detectIn(directory: string): DetectedSandbox & { readonly setup: SandboxSetup } {
  const filterPath = join(directory, "filter");
  const architecture = process.arch;
  if (isKnown(architecture)) writeFileSync(filterPath, seccompProgram(architecture), { mode: 0o600 });
  const host = surveyHost();
  const tried: TriedLevel[] = [];
  for (const level of sandboxLevels) {
    const setup = { ...host, level, filterPath };
    const obstacle =
      isKnown(architecture) || level === "none" ? tryLevel(setup, directory) : `there is no filter for ${architecture}`;
    tried.push({ level, works: obstacle === undefined, reason: obstacle ?? meanings[level] });
    if (obstacle === undefined) return { level, tried, setup };
  }
  throw fault("sandbox.launcher_failed", `no program can be started for a plugin: ${reasons(tried)}`);
}

/** Refuses a host that offers less than the operator accepts, with what was tried. */
export function requireLevel(found: DetectedSandbox, least: SandboxLevel): void {
  if (isAtLeast(found.level, least)) return;
  throw fault(
    "sandbox.too_weak",
    `the weakest sandbox that is accepted is "${least}", and this host offers "${found.level}" (${reasons(found.tried)})`,
  );
}

const meanings: Record<SandboxLevel, string> = {
  namespaces: "a script in namespaces of its own could not get out",
  landlock: "a script under Landlock and the filter could not get out",
  none: "limits and a deadline, no fence",
};

function isKnown(architecture: string): architecture is Architecture {
  return architecture === "x64" || architecture === "arm64";
}

function reasons(tried: readonly TriedLevel[]): string {
  return tried.map(({ level, reason }) => `${level}: ${reason}`).join("; ");
}

/**
 * Each escape answers with its own code. The shell's own commands only, so that nothing else need be installed:
 * reads a file beside the artifact's directory, writes there, and signals itself, which only the filter refuses.
 */
const escapeScript = `#!/bin/sh
if read -r x < "$1/secret"; then exit 101; fi 2>/dev/null
if (: > "$1/written") 2>/dev/null; then exit 102; fi
if kill -0 $$ 2>/dev/null; then exit 103; fi
exit 0
`;
const escapes: Readonly<Record<number, string>> = {
  101: "a file outside the sandbox could be read",
  102: "a file could be written",
  103: "the filter of system calls is not in force",
};

/** Undefined when the sandbox holds; otherwise why it does not, or cannot be built. */
function tryLevel(setup: SandboxSetup, directory: string): string | undefined {
  const missing = missingProgram(setup);
  if (missing !== undefined) return missing;
  const stagedDirectory = join(directory, `try-${setup.level}`);
  mkdirSync(stagedDirectory, { mode: 0o700 });
  writeFileSync(join(directory, "secret"), "secret\n", { mode: 0o644 });
  writeFileSync(join(stagedDirectory, "artifact"), escapeScript, { mode: 0o700 });
  const artifact = openSync(join(stagedDirectory, "artifact"), constants.O_RDONLY);
  const filter = setup.level === "namespaces" ? openSync(setup.filterPath, constants.O_RDONLY) : undefined;
  try {
    const { program, args } = commandLine(setup, {
      stagedDirectory,
      action: directory,
      limits: processLimits({
        deadlineMs: tryMs,
        artifactBytes: escapeScript.length,
        runningTasks: countTasksOfUser(setup.isRoot),
        tag: setup.tag,
      }),
      environment: actionEnvironment(),
    });
    const stdio: StdioOptions = ["ignore", "ignore", "pipe", artifact, ...(filter === undefined ? [] : [filter])];
    const ran = spawnSync(program, args, {
      cwd: "/",
      env: actionEnvironment(),
      stdio,
      timeout: tryMs,
      killSignal: "SIGKILL",
    });
    return setup.level === "none" ? (ran.error === undefined ? undefined : ran.error.message) : obstacleOf(ran);
  } finally {
    closeSync(artifact);
    if (filter !== undefined) closeSync(filter);
    for (const name of [`try-${setup.level}`, "secret", "written"])
      rmSync(join(directory, name), { recursive: true, force: true });
  }
}

const tryMs = 10_000;

function missingProgram({ level, setpriv, bwrap, isRoot }: SandboxSetup): string | undefined {
  if (level === "namespaces" && bwrap === undefined) return "bubblewrap is not installed";
  const needsSetpriv = level === "landlock" || (level === "namespaces" && isRoot);
  return needsSetpriv && setpriv === undefined ? "setpriv of util-linux is not installed" : undefined;
}

function obstacleOf({ status, signal, error, stderr }: SpawnSyncReturns<Buffer>): string | undefined {
  if (error !== undefined) return error.message;
  if (status === 0) return undefined;
  const escape = escapes[status ?? 0];
  if (escape !== undefined) return escape;
  const said = maskControls(stderr.toString()).trim().split("\n")[0] ?? "";
  if (said.includes("unrecognized option '--landlock-access'"))
    return "setpriv here knows no Landlock; util-linux 2.41 or later does";
  return said === "" ? `it ended with ${status ?? signal}` : said;
}
