import type { HostEnd } from "@gatehouse/contract";
import type { ChangeDeps } from "./change.ts";
import { isEnd } from "./journal-note.ts";
import type { Journal } from "./open-journal.ts";
import { dropSnapshot, hasManifest, listSnapshots, type SnapshotPlace } from "./snapshot-files.ts";

/** Snapshots are dropped after the end of their change is written: a helper that is ended in between leaves one. */
type LeftDeps = SnapshotPlace & Pick<ChangeDeps, "openJournal">;

/** Whether a change is left that could not be taken back. The host may be half changed: no new one is made upon it. */
export async function hasUnrestored(deps: LeftDeps): Promise<boolean> {
  const kept = await listKept(deps);
  if (kept.length === 0) return false;
  const ends = await readEnds(await deps.openJournal());
  return kept.some((task) => ends.get(task) === "failed_after_change");
}

/** Those of changes that have ended well. Without the journal they would count as open, and an old state would come back. */
export async function dropEnded(deps: LeftDeps, open: string): Promise<void> {
  const kept = (await listKept(deps)).filter((task) => task !== open);
  if (kept.length === 0) return;
  const ends = await readEnds(await deps.openJournal());
  for (const task of kept) if (isSettled(ends.get(task))) await dropSnapshot(deps, task);
}

/** All that no change needs any more. Nobody is at one; one that begins meanwhile is not among them. */
export async function dropLeft(deps: LeftDeps): Promise<void> {
  const listed = await listSnapshots(deps);
  if (listed.length === 0) return;
  const open = (await (await deps.openJournal()).look())?.task ?? "";
  await dropUnfinished(
    deps,
    listed.filter((task) => task !== open),
  );
  await dropEnded(deps, open);
}

/** Those of these that were never finished, or were being dropped. None of them is the open change's, which has begun its own. */
export async function dropUnfinished(deps: SnapshotPlace, tasks: readonly string[]): Promise<void> {
  for (const task of tasks) if (!(await hasManifest(deps, task))) await dropSnapshot(deps, task);
}

/** Tasks of which there is a whole snapshot. */
export async function listKept(deps: SnapshotPlace): Promise<string[]> {
  const kept: string[] = [];
  for (const task of await listSnapshots(deps)) if (await hasManifest(deps, task)) kept.push(task);
  return kept;
}

/** How each change of the journal has ended. */
export async function readEnds(journal: Journal): Promise<ReadonlyMap<string, HostEnd>> {
  const ends = (await journal.read(0)).filter(isEnd);
  return new Map(ends.map(({ task, end }) => [task, end.outcome]));
}

function isSettled(end: HostEnd | undefined): boolean {
  return end !== undefined && end !== "failed_after_change";
}
