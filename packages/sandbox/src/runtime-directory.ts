import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fault } from "@gatehouse/contract/faults";

/**
 * A directory of this process's own below the runtime directory, mode 0700. Refuses a place that others can write to, that
 * plugins can read, or from which nothing may be executed. Takes away what a process that is gone has left there.
 */
export function makeRunDirectory(runtimeDirectory: string): string {
  mkdirSync(runtimeDirectory, { recursive: true, mode: 0o700 });
  const problem = findProblem(runtimeDirectory);
  if (problem !== undefined)
    throw fault("sandbox.runtime_directory_unfit", `${runtimeDirectory} cannot hold active plugins: ${problem}`);
  for (const name of readdirSync(runtimeDirectory))
    if (isLeftBehind(name)) rmSync(join(runtimeDirectory, name), { recursive: true, force: true });
  const directory = join(
    realpathSync(runtimeDirectory),
    `run-${process.pid}-${startOf(process.pid)}-${randomBytes(9).toString("hex")}`,
  );
  mkdirSync(directory, { mode: 0o700 });
  try {
    tryExecution(directory, runtimeDirectory);
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
  return directory;
}

function findProblem(path: string): string | undefined {
  const found = lstatSync(path);
  if (!found.isDirectory()) return "it is not a directory";
  const uid = process.getuid?.();
  if (found.uid !== uid) return `it belongs to user ${found.uid}, and the server runs as ${uid}`;
  if ((found.mode & 0o022) !== 0) return "others may write to it";
  if (/^\/(usr|bin|lib|lib64)(\/|$)/.test(realpathSync(path))) return "plugins may read what lies there";
  return undefined;
}

/** Really executes a file there: a mount with noexec is found by its effect, whatever the table of mounts says. */
function tryExecution(directory: string, named: string): void {
  const script = join(directory, "try");
  writeFileSync(script, "#!/bin/sh\nexit 7\n", { mode: 0o700 });
  const { status, error } = spawnSync(script, [], { env: {}, timeout: 10_000, stdio: "ignore" });
  rmSync(script);
  if (status === 7) return;
  const why = error === undefined ? `it ended with ${status}` : error.message;
  throw fault(
    "sandbox.runtime_directory_unfit",
    `${named} cannot hold active plugins: programs cannot be executed from it (${why}); is it mounted noexec?`,
  );
}

/** The name says which process made it: its id and when it started, so that a reused id is not mistaken for it. */
function isLeftBehind(name: string): boolean {
  const [, pid, started] = /^run-(\d+)-(\d+)-[0-9a-f]{18}$/.exec(name) ?? [];
  return pid !== undefined && startOf(Number(pid)) !== started;
}

function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}
