import type { Report } from "@gatehouse/command-line";
import type { HostEnd } from "@gatehouse/contract";
import { fault, isFault } from "@gatehouse/contract/faults";
import type { ChangeDeps } from "./change.ts";
import { endOf, tryStop } from "./end-change.ts";
import type { JournalSlot, SlotState } from "./journal-slot.ts";
import { readEnds } from "./left-snapshots.ts";
import type { Journal } from "./open-journal.ts";
import { killHelper, settledReport } from "./run-deadman.ts";
import { settleOpenChange } from "./settle-change.ts";
import { dropSnapshot } from "./snapshot-files.ts";

export interface RollbackDeps extends ChangeDeps {
  /** Waits so many milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
}

const asked = { code: "rollback.asked", detail: "root of the host has asked for it" };
/** A restore may be tried three times, each with programs that take their time. */
const wait = { stepMs: 500, steps: 360 };
/** The helper may write between our look and our word; then it is looked at anew. */
const mostLooks = 5;

/** What root's word is for a change in each state. What was confirmed is only brought to its end. */
const answers: Readonly<Record<SlotState, "end" | "restore" | "fire">> = {
  accepted: "end",
  snapshotted: "end",
  armed: "end",
  applying: "restore",
  checking: "restore",
  confirmed: "fire",
  restoring: "fire",
};

/** Root's own word: the open change is taken back, or one that could not be is tried again. */
export async function rollbackChange(deps: RollbackDeps): Promise<Report> {
  const journal = await deps.openJournal().catch((error: unknown) => {
    if (isFault(error, "journal.unsound")) return undefined;
    throw error;
  });
  if (journal === undefined) return settleHere(deps);
  for (let look = 1; ; look += 1) {
    const slot = await journal.look();
    if (slot === undefined) return settleHere(deps);
    try {
      return await takeWord(deps, journal, slot);
    } catch (error) {
      if (!isFault(error, "journal.move") || look === mostLooks) throw error;
    }
  }
}

/** Nobody else is at it: what is left is put back by this very process. */
async function settleHere(deps: RollbackDeps): Promise<Report> {
  const settled = await settleOpenChange(deps, { isBoot: false });
  const report = settledReport(settled, "No change is open.");
  return settled.damage === undefined ? report : { ...report, ok: false };
}

async function takeWord(deps: RollbackDeps, journal: Journal, slot: JournalSlot): Promise<Report> {
  const { task, state } = slot;
  if (answers[state] === "end") {
    // First its end, which the helper cannot pass any more; the timer counts until then.
    await journal.append(task, "ended", endOf(slot, "failed_before_change", asked));
    await tryStop(deps);
    await dropSnapshot(deps, task);
    return endReport(task, "failed_before_change");
  }
  if (answers[state] === "restore") await journal.append(task, "restoring", { ...asked });
  deps.log(`${task} is being taken back.`);
  await fireOrSettle(deps, task);
  return endReport(task, await waitForEnd(deps, journal, task));
}

/** The unit of the timer does it. Where systemd does not answer, this process does the same. */
async function fireOrSettle(deps: RollbackDeps, task: string): Promise<void> {
  try {
    await deps.deadman.fire(task);
  } catch (error) {
    deps.log(`the unit that takes a change back could not be started: ${(error as Error).message}`);
    await killHelper(deps);
    await settleOpenChange(deps, { task, isBoot: false });
  }
}

async function waitForEnd({ pause, log }: RollbackDeps, journal: Journal, task: string): Promise<HostEnd> {
  let told = "";
  for (let step = 0; step < wait.steps; step += 1) {
    const slot = await journal.look();
    // What was open and is not open any more has an end.
    if (slot?.task !== task) return (await readEnds(journal)).get(task) as HostEnd;
    const tries = `${task}: ${slot.state}, ${slot.restores} begun`;
    if (tries !== told) log(tries);
    told = tries;
    await pause(wait.stepMs);
  }
  const seconds = (wait.steps * wait.stepMs) / 1_000;
  throw fault("restore.failed", `expected the end of ${task} within ${seconds} seconds, found it open`);
}

const ends: Readonly<Record<HostEnd, { readonly ok: boolean; readonly words: string }>> = {
  rolled_back: { ok: true, words: "is taken back. This host is as it was before" },
  failed_before_change: { ok: true, words: "has ended before it changed anything" },
  applied: { ok: false, words: "was confirmed before it could be taken back" },
  failed_after_change: {
    ok: false,
    words: "could not be taken back: this host may be half changed. It goes on being tried",
  },
};

function endReport(task: string, outcome: HostEnd): Report {
  const { ok, words } = ends[outcome];
  return { ok, lines: [`The change ${task} ${words}.`], json: { changes: [{ task, outcome }], damage: null } };
}
