import { randomBytes } from "node:crypto";
import { fault, type FaultCode, isFault } from "@gatehouse/contract/faults";
import { makeDirectoryDurably, UnknownOutcome } from "@gatehouse/files";
import { type PlanSection, subjectOf } from "@gatehouse/plan";
import type { Ceiling } from "../ceiling/ceiling.ts";
import { runOrFail } from "../host/run-or-fail.ts";
import { unitNames } from "../host/unit-files.ts";
import { checkKeep } from "../tasks/judge-ceiling.ts";
import type { KeptArtifact } from "../tasks/kept-artifact.ts";
import type { ChangeGround } from "../operations/host-operation.ts";
import { openRoomClaims } from "../operations/room-claims.ts";
import type { ChangeDeps, ChangeReason } from "./change.ts";
import type { ChangeWork } from "./change-work.ts";
import { cutDetail } from "./end-change.ts";
import { handOver, needSuccessor } from "./hand-over.ts";
import type { JournalDataOf, JournalKind } from "./journal-record.ts";
import type { JournalSlot } from "./journal-slot.ts";
import { changesOf, openOperationMaker } from "./make-operation.ts";
import type { Journal } from "./open-journal.ts";
import { sectionOf } from "./section-of.ts";
import { changeGroundOf, getHostChange } from "./snapshot-files.ts";

export interface MakeDeps extends ChangeDeps {
  /** The ceiling that holds now; throws when the file is not sound. */
  readonly readCeiling: () => Ceiling;
  readonly work: ChangeWork;
}

/** A change under way, and the journal that every step of it is written to first. */
export interface ChangeScene {
  readonly deps: MakeDeps;
  readonly journal: Journal;
  readonly slot: JournalSlot;
  /** Those that its operations name. Only the process that accepted the change has them. */
  readonly artifacts?: readonly KeptArtifact[];
}

/**
 * Makes a change that was accepted, up to the question whether the host still reaches its server. Throws only what nobody here can do
 * anything about: then the journal says how far it came, and the dead-man or the next start does the rest.
 */
export async function makeChange(scene: ChangeScene): Promise<void> {
  const section = sectionOf(scene.slot.accepted);
  if (!(await prepare(scene, section))) return;
  const { deps, journal, slot } = scene;
  await orTakeBack(scene, async () => {
    const makeOperation = openOperationMaker(deps, groundOf(scene), section);
    for (const [operation, each] of section.operations.entries()) {
      const made = await named("apply.failed", () => makeOperation(each));
      await append(journal, slot.task, "applied-op", { operation, ...made });
    }
    await append(journal, slot.task, "checking", {});
    const isHandedOver = await named("check.failed", () => handOver(deps, groundOf(scene), section));
    if (!isHandedOver) await checkAndProbe(scene, section);
  });
}

/** What was applied is looked at again, and the proof of the way to the server is asked for anew. */
export async function checkAgain(scene: ChangeScene): Promise<void> {
  await orTakeBack(scene, () => checkAndProbe(scene, sectionOf(scene.slot.accepted)));
}

/** Up to the last step before the host is touched. False when the change has ended instead. */
async function prepare(scene: ChangeScene, section: PlanSection): Promise<boolean> {
  const { deps, journal, slot: accepted } = scene;
  const { task } = accepted;
  const { work, deadman } = deps;
  let slot = accepted;
  try {
    const ground = { ...groundOf(scene), claims: openRoomClaims() };
    await named("validate.failed", async () => {
      await makeDirectoryDurably(deps.vfs, deps.paths.snapshots);
      await makeDirectoryDurably(deps.vfs, ground.directory);
      for (const each of changesOf(section))
        await getHostChange(deps, each.kind, "apply.absent").validate(ground, each);
    }); // 46
    const copies = await named("snapshot.failed", () => work.keepSnapshot(deps, slot)); // 47
    slot = await append(journal, task, "snapshotted", { copies });
    await named("snapshot.unprovable", () => work.proveSnapshot(deps, task)); // 48
    await named("deadman.check", () => deadman.check(task)); // 49
    const { rollbackWindow } = accepted.accepted;
    const { deadlineMs } = await named("deadman.arm", () => deadman.arm(task, rollbackWindow)); // 50, 51
    slot = await append(journal, task, "armed", { deadlineMs: Math.floor(deadlineMs) });
    await named("state.unreadable", () => checkStates(deps, section)); // 52
    await append(journal, task, "applying", {});
    return true;
  } catch (error) {
    if (isBroken(error)) throw error;
    const why = reasonFor(error);
    deps.log(`${task} ends before anything was changed: ${why.code}: ${why.detail}`);
    await work.endBeforeChange(deps, journal, slot, why);
    return false;
  }
}

function groundOf({ deps, slot, artifacts }: ChangeScene): ChangeGround {
  return { ...changeGroundOf(deps, slot.task), artifacts };
}

/** Somebody may have changed the host since it was judged: what would be replaced is looked at once more. */
async function checkStates(deps: MakeDeps, { preconditions }: PlanSection): Promise<void> {
  const found = await deps.host.digestStates(preconditions.map(({ subject }) => subject));
  for (const { subject, state } of preconditions) {
    const now = String(found.get(subject));
    if (now !== state) throw fault("state.stale", `${subject}: expected ${state}, found ${now}`);
  }
}

/** Whether the host is as the plan says and keeps its way in; then the network part has to reach the server anew, with a new probe. */
async function checkAndProbe({ deps, journal, slot }: ChangeScene, section: PlanSection): Promise<void> {
  const ground = changeGroundOf(deps, slot.task);
  // An earlier one on the same part has been replaced by then.
  const lasting = new Map(changesOf(section).map((each) => [subjectOf(each), each]));
  for (const each of lasting.values()) {
    const isApplied = await named("check.failed", () =>
      getHostChange(deps, each.kind, "apply.absent").isApplied(ground, each),
    );
    if (!isApplied)
      throw fault("check.failed", `${subjectOf(each)}: expected what the plan says, found something else`);
  }
  await named("check.failed", () => needSuccessor(deps, ground, section));
  await named("check.failed", async () => checkKeep(deps.readCeiling(), section.operations));
  await append(journal, slot.task, "probe", { nonce: randomBytes(32).toString("hex") });
  // Every connection from before the change ends with it: what comes now comes over the way as it is. Nobody waits for it: somebody
  // may stop that unit meanwhile, and the proof, or its absence, says all there is to know.
  await named("check.failed", () => runOrFail(deps.run, "systemctl", ["restart", "--no-block", unitNames.agent]));
}

async function orTakeBack({ deps, journal, slot }: ChangeScene, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isBroken(error)) throw error;
    await startTakingBack({ deps, journal, slot }, reasonFor(error));
  }
}

/** Has everything put back by the one program that does it, which ends this one. */
export async function startTakingBack({ deps, journal, slot }: ChangeScene, why: ChangeReason): Promise<void> {
  deps.log(`${slot.task} is taken back: ${why.code}: ${why.detail}`);
  const unwritten = await append(journal, slot.task, "restoring", why).then(
    () => undefined,
    (error: unknown) => error,
  );
  // Somebody else has ended it, or takes it back already.
  if (isFault(unwritten, "journal.move")) throw unwritten;
  if (unwritten !== undefined) {
    deps.log(`why it is taken back could not be written down: ${reasonFor(unwritten).detail}`);
  }
  // Also from a disk that takes nothing any more: who takes it back looks for itself.
  await deps.deadman.fire(slot.task);
  if (isBroken(unwritten)) throw unwritten;
}

/** Nobody knows what is on the disk: only a new start can look. */
export function isBroken(error: unknown): boolean {
  return isFault(error, "journal.write") || error instanceof UnknownOutcome;
}

export function reasonFor(error: unknown): ChangeReason {
  const { code, detail } = isFault(error) ? error : fault("change.interrupted", String(error));
  return { code, detail: cutDetail(detail) };
}

/** What fails without a word of its own is named by the step that it failed in. */
async function named<Value>(code: FaultCode, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    if (isFault(cause) || isBroken(cause)) throw cause;
    throw fault(code, String(cause), { cause });
  }
}

/** What is open after a step that leaves the change open. */
async function append<Kind extends Exclude<JournalKind, "ended">>(
  journal: Journal,
  task: string,
  kind: Kind,
  data: JournalDataOf<Kind>,
): Promise<JournalSlot> {
  return (await journal.append(task, kind, data)) as JournalSlot;
}
