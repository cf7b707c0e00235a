import { makeDirectoryDurably, nodeVfs } from "@gatehouse/files";
import { join } from "node:path";
import type { AgentPaths } from "../config.ts";
import { installProgram, linkProgram } from "./install-program.ts";
import { openDirectory, putFile } from "./put-file.ts";
import type { RunOnHost } from "./run-on-host.ts";
import { runOrFail } from "./run-or-fail.ts";
import { reloadHelper } from "./systemd.ts";
import { groupFile, unitFiles, unitNames } from "./unit-files.ts";

export interface InstallDeps {
  readonly paths: AgentPaths;
  readonly run: RunOnHost;
  /** The file that runs: /proc/self/exe. */
  readonly self: string;
  /** Refuses while a change is open: what would take it back is replaced here. */
  readonly needNoOpenChange: () => Promise<void>;
}

/**
 * Puts program, group and units in their places and opens the helper's door. Every step may be repeated, so that a run that was cut
 * short is mended by the next, and a newer version is installed the same way; identity, ceiling and outbox are not touched.
 */
export async function installAgent({ paths, run, self, needNoOpenChange }: InstallDeps): Promise<string[]> {
  await needNoOpenChange();
  await installProgram(paths.binary, self);
  // Root vouches for what root installs; from then on only an update that was confirmed replaces it.
  await installProgram(paths.rescue, self);
  const linked = await linkProgram(paths);
  await openDirectory(paths.settings);
  await makeDirectoryDurably(nodeVfs, paths.helperState);
  await makeGroup(paths, run);
  for (const [name, text] of Object.entries(unitFiles)) await putFile(join(paths.units, name), text, 0o644);
  await reloadHelper(run);
  // Not started: with nothing open it has nothing to do before the next boot.
  await runOrFail(run, "systemctl", ["enable", unitNames.boot]);
  await runOrFail(run, "systemctl", ["enable", "--now", unitNames.socket]);
  return [
    `Installed ${paths.binary} and ${Object.keys(unitFiles).join(", ")}.`,
    ...(linked ? [] : [`${paths.link} belongs to something else and was left as it is.`]),
  ];
}

/** After enrolment: from now on, and after every boot. A newer program takes the place of the running one. */
export async function startAgent(run: RunOnHost): Promise<void> {
  await runOrFail(run, "systemctl", ["enable", unitNames.agent]);
  await runOrFail(run, "systemctl", ["restart", unitNames.agent]);
}

async function makeGroup({ groupFile: path }: AgentPaths, run: RunOnHost): Promise<void> {
  await putFile(path, groupFile, 0o644);
  const { code } = await run("systemd-sysusers", [path]);
  if (code === 0) return;
  // Some distributions ship systemd without it. 9 says that the group is there.
  const made = await run("groupadd", ["--system", "gatehouse"]);
  if (made.code !== 0 && made.code !== 9) await runOrFail(run, "systemd-sysusers", [path]);
}
