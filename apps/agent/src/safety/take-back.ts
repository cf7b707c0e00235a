import type { Fault } from "@gatehouse/base";
import type { HostEnd } from "@gatehouse/contract";
import { isFault } from "@gatehouse/contract/faults";
import type { ChangeDeps, ChangeReason } from "./change.ts";
import { cutDetail, endOf, tryStop } from "./end-change.ts";
import { type JournalSlot, proofMarginMs } from "./journal-slot.ts";
import type { Journal } from "./open-journal.ts";
import { restoreChange, type RestoreWay } from "./restore-change.ts";
import { dropSnapshot, markSnapshot } from "./snapshot-files.ts";

/** After so many the change is told as failed. It goes on being tried. */
const mostTries = 3;

/**
 * Takes the open change back and ends it. What cannot be written down does not keep the host from being put back; then it throws
 * afterwards, and is to be called again.
 */
export async function takeBack(
  deps: ChangeDeps,
  journal: Journal,
  slot: JournalSlot,
  way: RestoreWay,
): Promise<HostEnd> {
  const why = slot.why ?? whyOpen(deps, slot);
  const { begun, unwritten } = await begin(journal, slot, why);
  const known = { made: slot.operations, isAgain: begun.restores > 1 };
  const { foreign, down } = await restoreChange(deps, slot.task, { ...way, ...known }).catch(async (error: Fault) => {
    await noteFailure(deps, journal, begun, error);
    throw error;
  });
  if (unwritten !== undefined) throw unwritten;
  await tryStop(deps);
  const ended =
    down === undefined
      ? endOf(slot, "rolled_back", why, foreign)
      : endOf(slot, "failed_after_change", { code: "service.down", detail: down }, foreign);
  await journal.append(slot.task, "ended", ended);
  await dropSnapshot(deps, slot.task);
  return ended.outcome;
}

/** Why nobody has gone on with it. */
function whyOpen({ findUptime }: Pick<ChangeDeps, "findUptime">, { state, armed }: JournalSlot): ChangeReason {
  const now = findUptime();
  const isLate = armed !== undefined && now?.boot === armed.boot && now.ms >= armed.deadlineMs - proofMarginMs;
  return state === "checking" && isLate
    ? { code: "confirm.late", detail: `expected a proof before ${armed.deadlineMs} ms of uptime, found none` }
    : { code: "change.interrupted", detail: `found in the state "${state}", and nobody going on with it` };
}

interface Begun {
  readonly begun: JournalSlot;
  readonly unwritten?: Error;
}

async function begin(journal: Journal, slot: JournalSlot, why: ChangeReason): Promise<Begun> {
  if (slot.state === "restoring") return { begun: slot };
  try {
    // No record but an end leaves nothing open.
    return { begun: (await journal.append(slot.task, "restoring", { ...why })) as JournalSlot };
  } catch (error) {
    // Somebody else has written: it may be confirmed by now, and only a new look can tell.
    if (isFault(error, "journal.move")) throw error;
    return { begun: slot, unwritten: error as Error };
  }
}

/** The first `restoring` says that it begins; each further one, that a try has failed. */
async function noteFailure(deps: ChangeDeps, journal: Journal, slot: JournalSlot, error: Fault): Promise<void> {
  const { task, restores } = slot;
  const failed = { code: "restore.failed", detail: cutDetail(error.detail) };
  deps.log(`${task}: try ${Math.max(restores, 1)} to put back what was there has failed: ${failed.detail}`);
  try {
    if (restores < mostTries) {
      await journal.append(task, "restoring", failed);
      return;
    }
    await journal.append(task, "ended", endOf(slot, "failed_after_change", failed));
    deps.log(
      `${task}: THIS HOST MAY BE HALF CHANGED. It goes on being tried; root can try with gatehouse-agent rollback`,
    );
    await markSnapshot(deps, task, "unrestored");
  } catch (unwritten) {
    deps.log(`${task}: that could not be written down: ${(unwritten as Error).message}`);
  }
}
