import { openTurns, runAll } from "@gatehouse/base";
import { fault, isFault } from "@gatehouse/contract/faults";
import { authorityOf } from "../local/authority-of.ts";
import { getHostIdentity } from "../local/host-key.ts";
import { getPinnedServer } from "../local/server-file.ts";
import type { KeptArtifact } from "../tasks/kept-artifact.ts";
import type { JudgedTask, TaskTaker } from "../tasks/task.ts";
import { addUsed } from "../tasks/used.ts";
import { isEnd, type JournalNote } from "./journal-note.ts";
import type { JournalDataOf } from "./journal-record.ts";
import { afterRestart, atBoot, type JournalSlot, proofMarginMs, type SlotDuty } from "./journal-slot.ts";
import { judgeProof, type ProofMessages } from "./judge-proof.ts";
import {
  type ChangeScene,
  checkAgain,
  isBroken,
  type MakeDeps,
  makeChange,
  reasonFor,
  startTakingBack,
} from "./make-change.ts";
import { getHostWay } from "./make-operation.ts";
import type { AppliedChange, Journal } from "./open-journal.ts";

export interface ChangesDeps extends MakeDeps {
  /** Nobody knows what is on the disk: the process has to end, and not well. */
  readonly onBroken: (error: unknown) => void;
}

/** The changes of this host: one at a time, from its acceptance to its end. */
export interface Changes extends TaskTaker {
  /** Goes on with what an earlier process has left open. Never throws. */
  resume(): Promise<void>;
  /** The newest records after a number, the number of the very newest, and the change that is open. */
  told(after: number): Promise<ToldChanges>;
  /** Calls for each change after a number of the journal that was confirmed and ended so, in order. */
  applied(after: number, take: (change: AppliedChange) => void): Promise<void>;
  /** What the next hello has to carry, while a change waits for its proof. */
  probe(): Promise<Uint8Array | undefined>;
  /** Confirms the change. Throws `confirm.proof` or `confirm.late`. The same proof again is no failure. */
  prove(proof: ProofMessages): Promise<void>;
  /** Whether a change is under way in this process, which then has to stay. */
  isBusy(): boolean;
}

export interface ToldChanges {
  readonly open: string | undefined;
  readonly newest: number;
  readonly notes: readonly JournalNote[];
}

/** What has failed is not tried again for so long: a journal may be large, and whoever asks may ask often. */
const retryMs = 10_000;

export function openChanges(deps: ChangesDeps): Changes {
  return new OpenChanges(deps);
}

class OpenChanges implements Changes {
  readonly #deps: ChangesDeps;
  readonly #inTurn = openTurns();
  #journal: Promise<Journal> | undefined;
  #failed: { readonly error: unknown; readonly at: number } | undefined;
  #running = 0;
  /** Whether nothing can be left of changes that have ended. */
  #isTidy = false;
  /** When this process was last at a change. */
  #stood: number | undefined;
  /** Ends with all that was started. */
  #under: Promise<void> = Promise.resolve();
  /** The change that waits for its proof. If none comes, the dead-man ends this process. */
  #waiting: string | undefined;
  /** The probe that was proved last: the same proof may come again when its answer was lost. */
  #proved: string | undefined;

  constructor(deps: ChangesDeps) {
    this.#deps = deps;
  }

  async find(task: string): ReturnType<Changes["find"]> {
    const journal = await this.#open();
    const slot = await journal.look();
    if (slot !== undefined) this.#takeUp(journal, slot);
    if (slot?.task === task) return { ended: undefined };
    const ended = (await journal.recent(0)).filter(isEnd).findLast((note) => note.task === task);
    if (ended !== undefined) return { ended };
    await this.#needFree(slot);
    return undefined;
  }

  async begin(judged: JudgedTask): Promise<void> {
    const { task, section, approvalId, planDigest, index, notAfter, rollbackWindow, confirmation, artifacts } = judged;
    needAble(this.#deps, judged);
    // From before it is written down: nobody else is to take it for one that was left open.
    this.#running += 1;
    try {
      const journal = await this.#open();
      await this.#needFree(await journal.look());
      // Root may have ended a change that this process is still at: what it does about that must not meet the next one's timer.
      await this.#under;
      await addUsed(this.#deps, { approvalId, planDigest, notAfter });
      const accepted = {
        approvalId,
        planDigest,
        index,
        section: section as unknown as JournalDataOf<"accepted">["section"],
        rollbackWindow,
        confirmation,
        persons: [...judged.persons],
      };
      const slot = (await journal.append(task, "accepted", accepted)) as JournalSlot; // 45
      this.#start(async () => {
        try {
          await makeChange({ deps: this.#deps, journal, slot, artifacts });
        } finally {
          await this.#close(artifacts);
        }
        await this.#waitForProof(journal);
      });
    } catch (error) {
      this.#note(error);
      throw error;
    } finally {
      this.#running -= 1;
    }
  }

  async resume(): Promise<void> {
    try {
      const journal = await this.#open();
      const slot = await journal.look();
      if (slot !== undefined) this.#takeUp(journal, slot);
      else await this.#tidy();
    } catch (error) {
      this.#deps.log(`changes cannot be gone on with: ${reasonFor(error).detail}`);
    }
  }

  async told(after: number): Promise<ToldChanges> {
    const journal = await this.#open();
    const slot = await journal.look();
    // Whoever follows an open change asks all the time: one that stands still is gone on with when what stopped it has passed.
    if (slot === undefined) await this.#tidy();
    else if (!this.#isRecent(this.#stood)) this.#takeUp(journal, slot);
    const notes = await journal.recent(0);
    return { open: slot?.task, newest: notes.at(-1)?.seq ?? 0, notes: notes.filter(({ seq }) => seq > after) };
  }

  async applied(after: number, take: (change: AppliedChange) => void): Promise<void> {
    await (await this.#open()).applied(after, take);
  }

  async probe(): Promise<Uint8Array | undefined> {
    const slot = await (await this.#open()).look();
    return slot?.state === "checking" && slot.probe !== undefined ? Uint8Array.fromHex(slot.probe) : undefined;
  }

  prove(proof: ProofMessages): Promise<void> {
    return this.#inTurn(["proof"], async () => {
      const journal = await this.#open();
      const slot = await journal.look();
      const isChecking = slot?.state === "checking";
      const probe = isChecking || slot?.state === "confirmed" ? slot.probe : this.#proved;
      if (probe === undefined) throw fault("confirm.proof", "expected a change that waits for its proof, found none");
      this.#judge(probe, proof);
      if (!isChecking) return;
      if (this.#isLate(slot)) throw fault("confirm.late", "expected a proof before the deadline, found it passed");
      await this.#confirm(journal, slot);
      this.#proved = probe;
    });
  }

  isBusy(): boolean {
    return this.#running > 0 || this.#waiting !== undefined;
  }

  #judge(probe: string, proof: ProofMessages): void {
    const { nodeId } = getHostIdentity(this.#deps);
    const { key: server, url } = getPinnedServer(this.#deps);
    judgeProof({ probe: Uint8Array.fromHex(probe), nodeId, server, authority: authorityOf(url) }, proof);
  }

  async #confirm(journal: Journal, { task }: JournalSlot): Promise<void> {
    try {
      const confirmed = (await journal.append(task, "confirmed", {})) as JournalSlot;
      this.#waiting = undefined;
      this.#finish(journal, confirmed);
    } catch (error) {
      this.#note(error);
      if (!isFault(error, "journal.move")) throw error;
      throw fault("confirm.late", "expected a change that is not taken back, found one that is", { cause: error });
    }
  }

  #finish(journal: Journal, slot: JournalSlot): void {
    this.#start(() => this.#deps.work.finishChange(this.#deps, journal, slot));
  }

  /** Whether no proof counts any more. Also where the time cannot be told, or the deadline is of another run of the machine. */
  #isLate({ armed }: JournalSlot): boolean {
    const now = this.#deps.findUptime();
    return now === undefined || armed?.boot !== now.boot || now.ms >= armed.deadlineMs - proofMarginMs;
  }

  /** An open change that nobody in this process is at, after a new start or a failure that has passed. */
  #takeUp(journal: Journal, slot: JournalSlot): void {
    if (this.#running > 0 || this.#waiting === slot.task) return;
    this.#start(() => this.#goOn({ deps: this.#deps, journal, slot }));
  }

  async #goOn(scene: ChangeScene): Promise<void> {
    const { deps, journal, slot } = scene;
    const duty = dutyOf(slot, deps.findUptime()?.boot ?? "");
    const interrupted = {
      code: "change.interrupted",
      detail: `expected the helper to go on, found the change left at "${slot.state}"`,
    };
    deps.log(`${slot.task} was left open at "${slot.state}": ${duty}`);
    if (duty === "end before change") return deps.work.endBeforeChange(deps, journal, slot, interrupted);
    if (duty === "finish") return deps.work.finishChange(deps, journal, slot);
    if (duty === "restore") {
      return slot.state === "restoring" ? deps.deadman.fire(slot.task) : startTakingBack(scene, interrupted);
    }
    if (this.#isLate(slot)) {
      return startTakingBack(scene, {
        code: "confirm.late",
        detail: "expected a proof before the deadline, found none",
      });
    }
    await checkAgain(scene);
    return this.#waitForProof(journal);
  }

  async #waitForProof(journal: Journal): Promise<void> {
    const slot = await journal.look();
    this.#waiting = slot?.state === "checking" ? slot.task : undefined;
  }

  async #needFree(slot: JournalSlot | undefined): Promise<void> {
    if (slot !== undefined) throw fault("slot.busy", `expected no open change, found ${slot.task} at "${slot.state}"`);
    if (await this.#deps.work.hasUnrestored(this.#deps)) {
      throw fault("slot.busy", "expected a host as its plans say, found a change that could not be taken back");
    }
  }

  #open(): Promise<Journal> {
    const { openJournal, clock } = this.#deps;
    if (this.#failed !== undefined && this.#isRecent(this.#failed.at)) return Promise.reject(this.#failed.error);
    this.#journal ??= openJournal().catch((error: unknown) => {
      this.#journal = undefined;
      this.#failed = { error, at: clock.now() };
      this.#note(error);
      throw error;
    });
    return this.#journal;
  }

  /** In the background: whoever asked has been answered. */
  #start(work: () => Promise<void>): void {
    this.#running += 1;
    const done = work()
      .catch((error: unknown) => {
        this.#deps.log(`a change stands still: ${reasonFor(error).code}: ${reasonFor(error).detail}`);
        this.#isTidy = false;
        this.#note(error);
      })
      .finally(() => {
        this.#running -= 1;
        this.#stood = this.#deps.clock.now();
      });
    this.#under = Promise.all([this.#under, done]).then(() => undefined);
  }

  /** An end that was written, and no more than that, has left what served to take the change back. */
  async #tidy(): Promise<void> {
    if (this.#isTidy || this.#running > 0) return;
    this.#isTidy = true;
    await this.#deps.work
      .dropLeft(this.#deps)
      .catch((error: unknown) => this.#deps.log(`what changes have left is not all gone: ${reasonFor(error).detail}`));
  }

  #isRecent(at: number | undefined): boolean {
    return at !== undefined && Math.abs(this.#deps.clock.now() - at) < retryMs;
  }

  /** What they were for is done, or will never be: their place on the disk is free again. */
  async #close(artifacts: readonly KeptArtifact[]): Promise<void> {
    await runAll(artifacts.map((each) => () => each.close())).catch((error: unknown) =>
      this.#deps.log(`artifacts are not all gone: ${reasonFor(error).detail}`),
    );
  }

  #note(error: unknown): void {
    if (isBroken(error)) this.#deps.onBroken(error);
  }
}

/** Refused before anything is spent. */
function needAble(deps: MakeDeps, { section, confirmation }: JudgedTask): void {
  for (const { kind } of section.operations) getHostWay(deps, kind);
  if (confirmation === "approver") {
    throw fault(
      "apply.absent",
      "expected a change that its path confirms, found one that waits for an approver's word",
    );
  }
}

/** In another run of the machine the timer is gone, and what was being checked can no longer be confirmed. */
function dutyOf({ state, armed }: JournalSlot, boot: string): SlotDuty {
  return armed === undefined || armed.boot === boot ? afterRestart[state] : atBoot[state];
}
