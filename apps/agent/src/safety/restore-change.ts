import { join } from "node:path";
import { fault, isFault } from "@gatehouse/contract/faults";
import { makeDirectoryDurably, writeDurably } from "@gatehouse/files";
import { subjectOf } from "@gatehouse/plan";
import type { ChangeDeps } from "./change.ts";
import {
  changeGroundOf,
  getHostChange,
  listIn,
  readSnapshot,
  type Snapshot,
  type SnapshotCopy,
} from "./snapshot-files.ts";

export interface RestoreWay {
  /** Before the host has a network: the kernel has forgotten what only it knew, so that no part tells who changed it last. */
  readonly isBoot: boolean;
}

export interface Restored {
  /** Parts that somebody else had changed meanwhile; what they were is kept beside the snapshots. */
  readonly foreign: readonly string[];
}

/**
 * Puts everything back, the last part first, and makes sure that the host is as it was when the plan was made. It needs the snapshot
 * alone, and may be done again at any time. Throws `restore.failed`.
 */
export async function restoreChange(deps: ChangeDeps, task: string, way: RestoreWay): Promise<Restored> {
  try {
    const snapshot = await readSnapshot(deps, task);
    const found = way.isBoot ? [] : await keepForeign(deps, snapshot);
    for (const copy of snapshot.copies.toReversed()) await putBack(deps, task, copy);
    await checkRestored(deps, snapshot);
    // Also what an earlier try has kept, and replaced.
    const foreign = new Set([...(await listForeign(deps, snapshot)), ...found]);
    return { foreign: [...foreign] };
  } catch (error) {
    if (isFault(error, "restore.failed")) throw error;
    const why = isFault(error) ? `${error.code}: ${error.detail}` : (error as Error).message;
    throw fault("restore.failed", why, { cause: error });
  }
}

async function putBack(deps: ChangeDeps, task: string, { kind, target, bytes }: SnapshotCopy): Promise<void> {
  const change = getHostChange(deps, kind, "restore.failed");
  await change.restore(changeGroundOf(deps, task), target, bytes);
}

async function checkRestored({ host }: ChangeDeps, { section }: Snapshot): Promise<void> {
  const found = await host.digestStates(section.preconditions.map(({ subject }) => subject));
  for (const { subject, state } of section.preconditions) {
    const now = found.get(subject) ?? "nothing";
    if (now !== state) throw fault("restore.failed", `${subject}: expected ${state}, found ${now}`);
  }
}

/** Somebody else's work is not lost with ours. Whatever fails here is no reason to leave the host as it is. */
async function keepForeign(deps: ChangeDeps, snapshot: Snapshot): Promise<string[]> {
  const found: string[] = [];
  for (const [index, copy] of snapshot.copies.entries()) {
    try {
      if (!(await isForeign(deps, snapshot, copy))) continue;
      found.push(copy.subject);
      await saveForeign(deps, snapshot.task, index, copy);
    } catch (error) {
      deps.log(`${copy.subject}: what somebody else may have changed is not kept: ${(error as Error).message}`);
      // A program that does not answer takes all of its time for every part, and this unit has only so much.
      if (isFault(error, "read.limit")) break;
    }
  }
  return found;
}

/** Neither as it was before, nor as any of our operations leaves it. */
async function isForeign(deps: ChangeDeps, { task, section }: Snapshot, { subject, kind }: SnapshotCopy) {
  const before = section.preconditions.find((one) => one.subject === subject)?.state;
  if ((await deps.host.digestStates([subject])).get(subject) === before) return false;
  const own = section.operations.filter((operation) => subjectOf(operation) === subject);
  for (const operation of own) {
    if ((await deps.host.findChange(kind)?.isApplied(changeGroundOf(deps, task), operation)) === true) return false;
  }
  return true;
}

/** Once: a later try finds what an earlier one has put back. An empty file where somebody had removed the part. */
async function saveForeign(deps: ChangeDeps, task: string, index: number, { kind, target }: SnapshotCopy) {
  const directory = join(deps.paths.foreign, task);
  if ((await listIn(deps.vfs, directory)).includes(String(index))) return;
  const bytes = await deps.host.findChange(kind)?.snapshot(changeGroundOf(deps, task), target);
  await makeDirectoryDurably(deps.vfs, deps.paths.foreign);
  await makeDirectoryDurably(deps.vfs, directory);
  await writeDurably(deps.vfs, join(directory, String(index)), bytes ?? new Uint8Array());
}

async function listForeign({ vfs, paths }: ChangeDeps, { task, copies }: Snapshot): Promise<string[]> {
  const kept = await listIn(vfs, join(paths.foreign, task));
  return copies.flatMap(({ subject }, index) => (kept.includes(String(index)) ? [subject] : []));
}
