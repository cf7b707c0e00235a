import { fault, isFault } from "@gatehouse/contract/faults";
import { makeDirectoryDurably } from "@gatehouse/files";
import { type OperationKind, type PlanSection, subjectOf } from "@gatehouse/plan";
import type { ChangeDeps } from "./change.ts";
import type { JournalDataOf } from "./journal-record.ts";
import type { JournalSlot } from "./journal-slot.ts";
import { dropEnded, dropUnfinished } from "./left-snapshots.ts";
import { sectionOf } from "./section-of.ts";
import {
  changeGroundOf,
  getHostChange,
  listSnapshots,
  putCopy,
  putManifest,
  readSnapshot,
  sha256Of,
  snapshotDirectory,
  type SnapshotManifest,
  targetOf,
} from "./snapshot-files.ts";

/**
 * Keeps what is there now of every part that the change will replace, durably, with a manifest that says all that is needed to put it
 * back. Throws `snapshot.failed`; then there is no manifest.
 */
export async function keepSnapshot(
  deps: ChangeDeps,
  slot: Pick<JournalSlot, "task" | "accepted">,
): Promise<JournalDataOf<"snapshotted">["copies"]> {
  try {
    return await keep(deps, slot);
  } catch (error) {
    if (isFault(error)) throw error;
    throw fault("snapshot.failed", `${deps.paths.snapshots}: ${(error as Error).message}`, { cause: error });
  }
}

async function keep(deps: ChangeDeps, { task, accepted }: Pick<JournalSlot, "task" | "accepted">) {
  const others = (await listSnapshots(deps)).filter((one) => one !== task);
  await dropUnfinished(deps, others);
  await dropEnded(deps, task);
  await makeDirectoryDurably(deps.vfs, deps.paths.snapshots);
  await makeDirectoryDurably(deps.vfs, snapshotDirectory(deps, task));
  const ground = changeGroundOf(deps, task);
  const copies: SnapshotManifest["copies"] = [];
  for (const [index, { subject, kind }] of changedParts(sectionOf(accepted)).entries()) {
    const bytes = await getHostChange(deps, kind, "snapshot.failed").snapshot(ground, targetOf(subject));
    if (bytes !== null) await putCopy(deps, task, index, bytes);
    copies.push({ subject, kind, sha256: bytes === null ? null : sha256Of(bytes) });
  }
  await putManifest(deps, { task, accepted, copies });
  return copies.map(({ subject, sha256 }) => ({ subject, sha256 }));
}

/** Whether every copy is what was kept and would put its part back. Changes nothing. Throws `snapshot.unprovable`. */
export async function proveSnapshot(deps: ChangeDeps, task: string): Promise<void> {
  const { copies } = await readSnapshot(deps, task);
  for (const { kind, target, bytes } of copies)
    await getHostChange(deps, kind, "snapshot.failed").prove(changeGroundOf(deps, task), target, bytes);
}

/** Each part once, in the order in which the operations come to it. */
export function changedParts({ operations }: Pick<PlanSection, "operations">) {
  const parts = new Map<string, OperationKind>();
  for (const operation of operations) {
    const subject = subjectOf(operation);
    if (subject !== null && !parts.has(subject)) parts.set(subject, operation.kind);
  }
  return [...parts].map(([subject, kind]) => ({ subject, kind }));
}
