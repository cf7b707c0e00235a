import { runAll } from "@gatehouse/base";
import type { HostEnd } from "@gatehouse/contract";
import { fault, isFault } from "@gatehouse/contract/faults";
import type { ChangeDeps } from "./change.ts";
import { endBeforeChange, finishChange } from "./end-change.ts";
import { atBoot, type JournalSlot } from "./journal-slot.ts";
import { dropUnfinished, listKept, readEnds } from "./left-snapshots.ts";
import type { Journal } from "./open-journal.ts";
import { restoreChange, type Restored, type RestoreWay } from "./restore-change.ts";
import { dropSnapshot, isMarked, listIn, listSnapshots, markSnapshot } from "./snapshot-files.ts";
import { takeBack } from "./take-back.ts";

export interface SettleWay extends RestoreWay {
  /** Absent: whatever is open. */
  readonly task?: string;
}

export interface SettledChange {
  readonly task: string;
  readonly outcome: HostEnd;
}

export interface Settled {
  readonly changes: readonly SettledChange[];
  /** Why the journal could not be asked; everything that it may have had open is put back. */
  readonly damage?: string;
}

const interrupted = { code: "change.interrupted", detail: "the host found it open and gone on with by nobody" };

/**
 * Brings the open change to its end: the one place that takes changes back, for the timer, the boot and root alike. Nobody else may be
 * at it. Throws when something is left to be done; then it is to be called again.
 */
export async function settleOpenChange(deps: ChangeDeps, way: SettleWay): Promise<Settled> {
  if (await isUntouched(deps)) return { changes: nothingKnown(way) };
  const opened = await tryOpen(deps);
  if ("failure" in opened) return settleWithoutJournal(deps, way, opened.failure);
  const { journal, slot } = opened;
  if (slot !== undefined && way.task !== undefined && way.task !== slot.task) {
    throw fault("deadman.nothing", `expected ${way.task}, found ${slot.task} open`);
  }
  if (slot === undefined) return { changes: await settleLeft(deps, journal, way) };
  const outcome = await settleSlot(deps, journal, slot, way);
  return { changes: [{ task: slot.task, outcome }, ...(await settleLeft(deps, journal, { isBoot: way.isBoot }))] };
}

/** A host that has never made a change has no journal, and needs none. */
async function isUntouched({ vfs, paths }: ChangeDeps): Promise<boolean> {
  return (await listIn(vfs, paths.journal)).length === 0 && (await listIn(vfs, paths.snapshots)).length === 0;
}

function nothingKnown({ task }: SettleWay): readonly SettledChange[] {
  if (task !== undefined) throw fault("deadman.nothing", `expected ${task}, found no change that was ever made here`);
  return [];
}

async function tryOpen(deps: ChangeDeps) {
  try {
    const journal = await deps.openJournal();
    return { journal, slot: await journal.look() };
  } catch (error) {
    return { failure: error as Error };
  }
}

async function settleSlot(deps: ChangeDeps, journal: Journal, slot: JournalSlot, way: RestoreWay): Promise<HostEnd> {
  const duty = atBoot[slot.state];
  if (duty === "end before change") {
    await endBeforeChange(deps, journal, slot, interrupted);
    return "failed_before_change";
  }
  if (duty === "finish") {
    await finishChange(deps, journal, slot);
    return "applied";
  }
  return takeBack(deps, journal, slot, way);
}

/**
 * Snapshots of changes that are not open. One that ended, or was put back, goes. One whose change failed, or that no end is known of,
 * is put back.
 */
async function settleLeft(deps: ChangeDeps, journal: Journal, way: SettleWay): Promise<SettledChange[]> {
  const listed = await listSnapshots(deps);
  // Looked for after they were listed: a change that has begun by then is its helper's.
  const open = (await journal.look())?.task;
  const left = listed.filter((task) => task !== open);
  await dropUnfinished(deps, left);
  const kept = (await listKept(deps)).filter((task) => left.includes(task));
  if (kept.length === 0 && way.task === undefined) return [];
  const ends = await readEnds(journal);
  const known = way.task === undefined || ends.has(way.task) || kept.includes(way.task);
  if (!known) throw fault("deadman.nothing", `expected ${way.task}, found no such change`);
  const restored: SettledChange[] = [];
  const putBack = async (task: string) => {
    const outcome = endFor(await restoreChange(deps, task, way));
    deps.log(`${task}: what was there before it is put back now`);
    restored.push({ task, outcome });
  };
  const settle = async (task: string) => {
    const isDone = ends.has(task) ? ends.get(task) !== "failed_after_change" : await isMarked(deps, task, "restored");
    await (isDone ? undefined : putBack(task));
    await dropSnapshot(deps, task);
  };
  await runAll(kept.map((task) => () => settle(task)));
  return restored;
}

/** All is put back either way. */
function endFor({ down }: Restored): HostEnd {
  return down === undefined ? "rolled_back" : "failed_after_change";
}

/** Nobody can say which change is open: every snapshot that was not put back counts as one. */
async function settleWithoutJournal(deps: ChangeDeps, way: RestoreWay, failure: Error): Promise<Settled> {
  const changes: SettledChange[] = [];
  const isUnsound = isFault(failure, "journal.unsound");
  const settle = async (task: string) => {
    if (await isMarked(deps, task, "restored")) return;
    const outcome = endFor(await restoreChange(deps, task, way));
    deps.log(`${task}: what was there before it is put back, without the journal: ${failure.message}`);
    changes.push({ task, outcome });
    // A journal that only could not be opened now will say itself that the change is open.
    if (isUnsound) await markSnapshot(deps, task, "restored");
  };
  await runAll((await listKept(deps)).map((task) => () => settle(task)));
  if (!isUnsound) throw failure;
  return { changes, damage: failure.message };
}
