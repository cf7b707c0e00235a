import { join } from "node:path";
import { fault, isFault } from "@gatehouse/contract/faults";
import { makeDirectoryDurably, writeDurably } from "@gatehouse/files";
import { isReadBySystemd, subjectOf, systemctlWords } from "@gatehouse/plan";
import type { ChangeGround } from "../operations/host-operation.ts";
import { sayFailedProgram } from "../operations/failed-program.ts";
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
  /** How many operations were made, where that is known; one more may have been begun. Services that come later still run as they did. */
  readonly made?: number;
  /** An earlier try has ended in the middle, and has told what it found. */
  readonly isAgain?: boolean;
}

export interface Restored {
  /** Parts that somebody else had changed meanwhile; what they were is kept beside the snapshots. Also services whose units they changed. */
  readonly foreign: readonly string[];
  /** Why a service that ran before stays down, with everything put back; undefined when none does. */
  readonly down: string | undefined;
}

/**
 * Puts everything back, the last part first, and makes sure that the host is as it was when the plan was made. It needs the snapshot
 * alone, and may be done again at any time. Throws `restore.failed`.
 */
export async function restoreChange(deps: ChangeDeps, task: string, way: RestoreWay): Promise<Restored> {
  try {
    const snapshot = await readSnapshot(deps, task);
    const found = way.isBoot ? [] : await keepForeign(deps, snapshot, way);
    const copies = snapshot.copies.toReversed();
    const last = copies.filter((one) => isLast(deps, one));
    for (const copy of copies.filter((one) => !last.includes(one))) await putBack(deps, task, copy);
    await tellSystemd(deps, copies, way);
    // Before anything is started: what is tried again and again must not interrupt a service each time.
    await checkRestored(deps, snapshot, last);
    const down = way.isBoot
      ? await letBoot(deps, task, copies)
      : await startLast(
          deps,
          task,
          last.filter((one) => isReached(snapshot, one, way)),
        );
    if (!way.isBoot) {
      found.push(...(await findForeignUnits(deps, snapshot, last)));
      await startAnew(deps, task, copies);
    }
    // Also what an earlier try has kept, and replaced.
    const foreign = new Set([...(await listForeign(deps, snapshot)), ...found]);
    return { foreign: [...foreign], down };
  } catch (error) {
    if (isFault(error, "restore.failed")) throw error;
    const why = isFault(error) ? `${error.code}: ${error.detail}` : (error as Error).message;
    throw fault("restore.failed", why, { cause: error });
  }
}

type RestorePace = Pick<ChangeGround, "isBoot" | "isHurried">;

async function putBack(deps: ChangeDeps, task: string, copy: SnapshotCopy, pace: RestorePace = {}): Promise<void> {
  const { kind, target, bytes } = copy;
  const change = getHostChange(deps, kind, "restore.failed");
  await change.restore({ ...changeGroundOf(deps, task), ...pace }, target, bytes);
}

/** The unit that does it has two minutes for all of them. Ended for want of time it would begin anew, and interrupt them all again. */
const mostWaitMs = 40_000;

/** What uses the parts that were put back, in the order in which the change came to them. Nothing is gained by trying again. */
async function startLast(deps: ChangeDeps, task: string, copies: readonly SnapshotCopy[]): Promise<string | undefined> {
  const down: string[] = [];
  const nowMs = () => deps.findUptime()?.ms ?? 0;
  const begunMs = nowMs();
  for (const copy of copies.toReversed()) {
    try {
      await putBack(deps, task, copy, { isHurried: nowMs() - begunMs > mostWaitMs });
    } catch (error) {
      if (!isFault(error, "service.down")) throw error;
      deps.log(`${copy.subject} stays down: ${error.detail.replaceAll("\n", "; ")}`);
      down.push(error.detail);
    }
  }
  return down.length === 0 ? undefined : down.join("; ");
}

/** A host that boots starts its services by itself, with what systemd has read of their files: maybe before they were put back. */
async function letBoot(deps: ChangeDeps, task: string, copies: readonly SnapshotCopy[]): Promise<undefined> {
  for (const copy of copies.filter((one) => isLast(deps, one))) {
    try {
      await putBack(deps, task, copy, { isBoot: true });
    } catch (error) {
      deps.log(`${copy.subject}: ${(error as Error).message}`);
      // A systemd that does not answer one takes all the time of a boot.
      break;
    }
  }
}

/** Of the two minutes that the boot waits for, and the dead-man's unit has. */
const mostReloadMs = 30_000;

/** Whether the change may have come to it. */
function isReached({ section }: Snapshot, { subject }: SnapshotCopy, { made = section.operations.length }: RestoreWay) {
  return section.operations.findIndex((operation) => subjectOf(operation) === subject) <= made;
}

/**
 * Has systemd read its files again. It would not see by itself that one was put back: it is older than the one that systemd has read.
 * A host that boots goes on without: its network does not wait for that.
 */
async function tellSystemd({ run, log }: ChangeDeps, copies: readonly SnapshotCopy[], way: RestoreWay): Promise<void> {
  if (!copies.some(({ kind, target }) => kind === "file.write" && isReadBySystemd(target))) return;
  const ran = await run("systemctl", systemctlWords.reload, mostReloadMs);
  if (ran.code === 0) return;
  const why = `systemd did not read its files again: ${sayFailedProgram("systemctl", ran)}`;
  if (!way.isBoot) throw fault("restore.failed", why);
  log(why);
}

function isLast({ host }: ChangeDeps, { kind }: Pick<SnapshotCopy, "kind">): boolean {
  return host.findChange(kind)?.isRestoredLast === true;
}

/** Nobody but us has any business there. */
function isOwn({ host }: ChangeDeps, { kind }: Pick<SnapshotCopy, "kind">): boolean {
  return host.findChange(kind)?.isOwn === true;
}

/** What was taken back may still run. At boot nothing does. */
async function startAnew(deps: ChangeDeps, task: string, copies: readonly SnapshotCopy[]): Promise<void> {
  for (const { kind } of copies) await deps.host.findChange(kind)?.startAnew?.(changeGroundOf(deps, task));
}

/** Only of what was put back: the state of a service is its unit's, which is no part of the change but as a file of its own. */
async function checkRestored(
  { host }: ChangeDeps,
  { section }: Snapshot,
  last: readonly SnapshotCopy[],
): Promise<void> {
  const wanted = section.preconditions.filter(({ subject }) => !last.some((copy) => copy.subject === subject));
  const found = await host.digestStates(wanted.map(({ subject }) => subject));
  for (const { subject, state } of wanted) {
    const now = found.get(subject) ?? "nothing";
    if (now !== state) throw fault("restore.failed", `${subject}: expected ${state}, found ${now}`);
  }
}

/** Services whose unit somebody else has changed or enabled meanwhile. Nothing here puts that back, and no try would change it. */
async function findForeignUnits({ host, log }: ChangeDeps, { section }: Snapshot, last: readonly SnapshotCopy[]) {
  const found: string[] = [];
  for (const { subject } of last) {
    try {
      const before = section.preconditions.find((one) => one.subject === subject)?.state;
      if ((await host.digestStates([subject])).get(subject) !== before) found.push(subject);
    } catch (error) {
      log(`${subject}: whether somebody else has changed it cannot be told: ${(error as Error).message}`);
    }
  }
  return found;
}

/** Of the two minutes that the unit has for all of it: large programs on a slow disk take long to be read. */
const mostForeignMs = 30_000;

/** Somebody else's work is not lost with ours. Whatever fails here is no reason to leave the host as it is. */
async function keepForeign(deps: ChangeDeps, snapshot: Snapshot, way: RestoreWay): Promise<string[]> {
  const found: string[] = [];
  const nowMs = () => deps.findUptime()?.ms ?? 0;
  const begunMs = nowMs();
  for (const [index, copy] of snapshot.copies.entries()) {
    if (nowMs() - begunMs > mostForeignMs) {
      deps.log(
        `${snapshot.task}: whether somebody else has changed ${copy.subject} and what follows is not looked at: it took too long`,
      );
      break;
    }
    // Nobody changes whether it runs but whoever starts and stops it.
    if (isLast(deps, copy) || isOwn(deps, copy) || mayBeHalf(deps, snapshot, copy, way)) continue;
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

/** Whether we may have left it in the middle ourselves: its operation was begun and never written down, or putting it back was. */
function mayBeHalf({ host }: ChangeDeps, { section }: Snapshot, { subject, kind }: SnapshotCopy, way: RestoreWay) {
  if (host.findChange(kind)?.isMadeInSteps !== true) return false;
  const begun = way.made === undefined ? undefined : section.operations[way.made];
  return way.isAgain === true || (begun !== undefined && subjectOf(begun) === subject);
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
  await makeDirectoryDurably(deps.vfs, deps.paths.foreign);
  await makeDirectoryDurably(deps.vfs, directory);
  // What is written beside the copy must not take the place of what the change is taken back from.
  const bytes = await deps.host.findChange(kind)?.snapshot({ ...changeGroundOf(deps, task), directory }, target);
  await writeDurably(deps.vfs, join(directory, String(index)), bytes ?? new Uint8Array());
}

async function listForeign({ vfs, paths }: ChangeDeps, { task, copies }: Snapshot): Promise<string[]> {
  const kept = await listIn(vfs, join(paths.foreign, task));
  return copies.flatMap(({ subject }, index) => (kept.includes(String(index)) ? [subject] : []));
}
