import { readFileSync } from "node:fs";
import { startEngine } from "./engine.ts";
import { needHostImage } from "./host-image.ts";
import { docker } from "./lab.ts";
import { runLabel, runVariable } from "./managed-host.ts";

/** With an engine and the image of a host: what `work` starts has to run with this environment, and no host outlives it. */
export async function withHosts<T>(work: (environment: Readonly<Record<string, string>>) => Promise<T>): Promise<T> {
  const stop = await startEngine();
  try {
    await removeHosts((run) => !isRunning(run));
    await needHostImage();
    return await work({ [runVariable]: String(process.pid) });
  } finally {
    await removeHosts((run) => run === String(process.pid));
    await stop();
  }
}

/** A test that was killed leaves its hosts behind; the engine knows whose they are. */
async function removeHosts(ofRun: (run: string) => boolean): Promise<void> {
  const format = `{{.ID}} {{.Label "${runLabel}"}}`;
  const { stdout } = await docker("ps", "--all", "--filter", `label=${runLabel}`, "--format", format);
  for (const line of stdout.split("\n").filter(Boolean)) {
    const [id = "", run = ""] = line.split(" ");
    if (ofRun(run)) await docker("rm", "--force", "--volumes", id);
  }
}

/** The scripts that start hosts. */
const owners = ["tests/lab/hosts.ts", "tests/evil-server/run.ts"];

function isRunning(run: string): boolean {
  try {
    const line = readFileSync(`/proc/${run}/cmdline`, "latin1");
    return owners.some((owner) => line.includes(owner));
  } catch {
    return false;
  }
}
