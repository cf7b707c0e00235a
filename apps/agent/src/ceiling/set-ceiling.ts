import { realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fault } from "@gatehouse/contract/faults";
import { isWithin } from "@gatehouse/plan";
import type { AgentPaths } from "../config.ts";
import { openDirectory, putFile } from "../host/put-file.ts";
import { type Ceiling, ceilingText, logsOf, parseCeiling, sentLogsOf } from "./ceiling.ts";
import { parseCeilingEntry } from "./ceiling-entry.ts";
import { ceilingDropIn, type IsDirectory, writableDirectories } from "./drop-in.ts";
import { findLogProtection, findProtection, isLogPath } from "./protected.ts";
import { readCeiling } from "./read-ceiling.ts";

export interface SetCeilingDeps {
  readonly paths: AgentPaths;
  readonly owner: number;
  /** Lets systemd know, and ends a helper that still has the earlier ceiling. */
  readonly reload: () => Promise<void>;
  /**
   * Lets root confirm whom the host is to believe, and writes it: before the ceiling that takes their word, so that a crash between the
   * two leaves a host that takes less. Called when everything else is found to be right, and only for `accepts: "signed"`.
   */
  readonly nameApprovers?: () => Promise<void>;
}

export interface WantedCeiling {
  readonly level: "monitor" | "managed";
  readonly allow: readonly string[];
  /** Absent: as before. */
  readonly accepts?: "signed" | "server";
  /** Absent: as before. */
  readonly keep?: readonly string[];
  /** Paths and units whose logs plans may read. Absent: as before. */
  readonly readLogs?: readonly string[];
  /** Files and services whose lines the host sends to its server. Absent: as before. */
  readonly sendLogs?: readonly string[];
}

/**
 * Writes the ceiling, then what the kernel keeps of it. In this order a crash between the two is safe both ways: a ceiling that was
 * lowered already holds in the helper, and one that was raised is still held down by the kernel.
 */
export async function setCeiling(deps: SetCeilingDeps, wanted: WantedCeiling): Promise<Ceiling> {
  const { paths } = deps;
  const ceiling = draftCeiling(deps, wanted);
  const text = ceilingText(ceiling);
  // What is written is what the helper will read: a ceiling that it would refuse is refused here.
  parseCeiling(new TextEncoder().encode(text));
  await deps.nameApprovers?.();
  await openDirectory(paths.settings);
  await putFile(paths.ceiling, text, 0o600);
  await writeDropIn(paths, ceiling);
  await deps.reload();
  return ceiling;
}

/** What was wanted, and what the earlier ceiling says of the rest. A lowered one keeps nobody's word: `monitor` has no such field. */
function draftCeiling(deps: SetCeilingDeps, wanted: WantedCeiling): Ceiling {
  const allow = distinctSorted(wanted.allow);
  for (const entry of allow) checkEntry(entry, deps.paths.root);
  const earlier = keptOf(deps);
  const { terminal } = earlier;
  const logs = wanted.readLogs === undefined ? logsOf(earlier) : distinctSorted(wanted.readLogs);
  for (const log of wanted.readLogs ?? []) checkLog(log, deps.paths.root);
  const sent = wanted.sendLogs === undefined ? sentLogsOf(earlier) : distinctSorted(wanted.sendLogs);
  for (const log of wanted.sendLogs ?? []) checkSentLog(log, deps.paths.root);
  const besides = {
    ...(logs.length === 0 ? {} : { read: { logs: [...logs] } }),
    ...(sent.length === 0 ? {} : { send: { logs: [...sent] } }),
    ...(terminal === undefined ? {} : { terminal }),
  };
  if (wanted.level === "monitor") return { schema: 1, level: "monitor", ...besides };
  const before = earlier.level === "managed" ? earlier : undefined;
  const accepts = wanted.accepts ?? before?.accepts;
  const keep = wanted.keep === undefined ? before?.keep : distinctSorted(wanted.keep);
  const whose = { ...(accepts === undefined ? {} : { accepts }), ...(keep === undefined ? {} : { keep }) };
  return { schema: 1, level: "managed", allow, ...whose, ...besides };
}

function distinctSorted(items: readonly string[]): string[] {
  return [...new Set(items)].toSorted();
}

/** What the kernel keeps of a ceiling. Also written when the agent is installed over a ceiling that was left behind. */
export async function writeDropIn(paths: AgentPaths, ceiling: Ceiling): Promise<void> {
  const text = ceilingDropIn(ceiling, isDirectoryUnder(paths.root));
  for (const path of [paths.helperDropIn, paths.bootDropIn]) {
    await openDirectory(dirname(path));
    await putFile(path, text, 0o644);
  }
}

/** The directories that the kernel leaves open to the helper. */
export function openedDirectories({ root }: AgentPaths, ceiling: Ceiling): string[] {
  return writableDirectories(ceiling, isDirectoryUnder(root));
}

/** Refused by name, before anything is written. */
function checkEntry(text: string, root: string): void {
  const entry = parseCeilingEntry(text);
  if ("wrong" in entry) throw fault("ceiling.malformed", `${JSON.stringify(text)}: ${entry.wrong}`);
  const protection = findProtection(entry);
  if (protection !== undefined) throw fault("ceiling.protected", `${text}: ${protection}`);
  if (entry.kind === "file.write" || entry.kind === "binary.replace") checkPlace(text, entry.target, root);
}

/** Its form is judged with that of the whole ceiling. */
function checkLog(log: string, root: string): void {
  const protection = findLogProtection(log);
  if (protection !== undefined) throw fault("ceiling.protected", `${log}: ${protection}`);
  if (isLogPath(log)) checkPlace(log, log, root);
}

/** One file: whoever may put another one into a directory would choose what is sent. */
function checkSentLog(log: string, root: string): void {
  checkLog(log, root);
  const own = ["/tmp", "/var/tmp"].find((place) => isWithin(log, place));
  if (own !== undefined) {
    const what = "let the program write its log elsewhere, as in /var/log, and name that";
    throw fault("ceiling.malformed", `${log}: the agent has a ${own} of its own and never sees that file; ${what}`);
  }
  if (!isLogPath(log) || !isDirectoryUnder(root)(log)) return;
  throw fault("ceiling.malformed", `${log} is a directory; name each file of it whose lines are to be sent`);
}

/** Nothing is written or read over a link. */
function checkPlace(text: string, path: string, root: string): void {
  const real = realPlace(path, root);
  if (real === path) return;
  throw fault("ceiling.malformed", `${text}: ${path} leads over a link to ${real}; name that place itself`);
}

/** Where the path leads now, as far as it exists. */
function realPlace(path: string, root: string): string {
  const base = realpathSync(root);
  const inside = (found: string) => (base === "/" ? found : found.slice(base.length));
  for (let known = path; known !== "/"; known = dirname(known)) {
    try {
      // Of the root itself nothing is left before what follows.
      return inside(realpathSync(join(base, known))).replace(/\/$/, "") + path.slice(known.length) || "/";
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  return path;
}

/** What the earlier file says besides. One that is not sound is replaced whole: nothing of it can be believed. */
function keptOf({ paths, owner }: SetCeilingDeps): Ceiling {
  try {
    return readCeiling(paths.ceiling, owner).ceiling;
  } catch {
    return { schema: 1, level: "monitor" };
  }
}

function isDirectoryUnder(root: string): IsDirectory {
  return (path) => statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() === true;
}
