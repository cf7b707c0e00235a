import { existsSync, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { rm, rmdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { AgentPaths } from "../config.ts";
import type { RunOnHost } from "./run-on-host.ts";
import { runOrFail } from "./run-or-fail.ts";
import { findUnitStates } from "./systemd.ts";
import { deadmanUnits, unitFiles, unitNames } from "./unit-files.ts";

export interface KeptThing {
  readonly path: string;
  readonly what: string;
}

export interface UninstallDeps {
  readonly paths: AgentPaths;
  /** Absent where there is no systemd to tell: under another directory. */
  readonly run?: RunOnHost;
  /** Refuses while a change is open: nothing would take it back any more. */
  readonly needNoOpenChange: () => Promise<void>;
}

export interface UninstallPlan {
  readonly removes: readonly string[];
  readonly leaves: readonly KeptThing[];
  /** Firewall tables that plans have made: they are in the kernel, and what loads them at boot goes. */
  readonly tables: readonly string[];
  /** WireGuard interfaces that plans have made: the same is so for them. */
  readonly interfaces: readonly string[];
}

/** What is on this host of the agent, and what of it would go. Changes nothing. */
export function planUninstall(paths: AgentPaths, purge: boolean): UninstallPlan {
  const parts = [
    ...Object.keys(unitFiles).map((name) => join(paths.units, name)),
    dirname(paths.helperDropIn),
    dirname(paths.bootDropIn),
    paths.groupFile,
    ...(isOurLink(paths) ? [paths.link] : []),
    dirname(paths.binary),
  ];
  const kept: readonly KeptThing[] = [
    { path: paths.helperState, what: "the identity of this host, and what was kept of changes" },
    { path: paths.networkState, what: "the channel's key, and what was still to be sent" },
    { path: paths.settings, what: "the ceiling, the trust file and the server this host knew" },
  ].filter(({ path }) => isThere(path));
  return {
    removes: [...parts.filter(isThere), ...(purge ? kept.map(({ path }) => path) : [])],
    leaves: purge ? [] : kept,
    tables: listKept(paths.tables, /^(.+)\.nft$/),
    interfaces: listKept(paths.wireguard, /^(.+)\.conf$/),
  };
}

/** None where there are none; and for others than root, who may not look. */
function listKept(directory: string, form: RegExp): string[] {
  try {
    return readdirSync(directory)
      .flatMap((name) => form.exec(name)?.[1] ?? [])
      .toSorted();
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}

/** Stops everything first: nothing runs any more whose files are going. */
export async function uninstallAgent(plan: UninstallPlan, deps: UninstallDeps): Promise<void> {
  const { paths, run, needNoOpenChange } = deps;
  await needNoOpenChange();
  if (run !== undefined) await stopUnits(run);
  for (const path of plan.removes) await rm(path, { recursive: true, force: true });
  // systemd's own link to the state of a user that it makes for the unit.
  const stateLink = join(paths.root, "var/lib/gatehouse-agent");
  if (plan.removes.includes(paths.networkState) && isThere(stateLink)) await rm(stateLink, { force: true });
  await rmdir(dirname(paths.helperSocket)).catch(() => undefined);
  if (run === undefined) return;
  await runOrFail(run, "systemctl", ["daemon-reload"]);
  // Made by the install for the door alone; a host where it has another use refuses, and keeps it.
  await run("groupdel", ["gatehouse"]);
}

async function stopUnits(run: RunOnHost): Promise<void> {
  const enabled: readonly string[] = [unitNames.agent, unitNames.socket, unitNames.boot];
  // The helper is started by its socket and stands in no target. A timer that was left would start a program that is gone, for ever.
  const started = [unitNames.helper, deadmanUnits.timer, deadmanUnits.service];
  for (const { unit, load } of (await findUnitStates(run, [...enabled, ...started])) ?? []) {
    if (load === "not-found") continue;
    const verb = enabled.includes(unit) ? ["disable", "--now", unit] : ["stop", unit];
    await runOrFail(run, "systemctl", verb);
  }
}

/** A program of somebody else may have the name. */
function isOurLink({ link, binary }: AgentPaths): boolean {
  const found = lstatSync(link, { throwIfNoEntry: false });
  return found?.isSymbolicLink() === true && readlinkSync(link) === relative(dirname(link), binary);
}

/** Also a link that leads nowhere. */
function isThere(path: string): boolean {
  return existsSync(path) || lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
