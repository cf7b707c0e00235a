import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { byteForm, readByteForm } from "@gatehouse/base";
import { fault, type FaultCode } from "@gatehouse/contract/faults";
import { isAbsent, writeDurably } from "@gatehouse/files";
import { hexDigest, type OperationKind, operationKinds, type PlanSection } from "@gatehouse/plan";
import * as z from "zod";
import { sha256 } from "../local/sha256.ts";
import type { ChangeGround, HostChange } from "../operations/host-operation.ts";
import type { ChangeDeps } from "./change.ts";
import { findBytesAt } from "./journal-files.ts";
import { bodyLimits } from "./journal-format.ts";
import { journalData, taskName } from "./journal-record.ts";
import { sectionOf } from "./section-of.ts";

/** Where snapshots stand, and the disk they stand on. */
export type SnapshotPlace = Pick<ChangeDeps, "vfs" | "paths">;

/** All that is needed to put back what was there, without any other file: written last, so that it vouches for the copies. */
const manifest = z.strictObject({
  v: z.literal(1),
  task: taskName,
  accepted: journalData.accepted,
  copies: z
    .array(
      journalData.snapshotted.shape.copies.element.extend({
        kind: z.enum(operationKinds),
      }),
    )
    .max(64),
  /** Of all the rest: nothing else tells of a byte that is another. */
  sha256: z.string(),
});
export type SnapshotManifest = Omit<z.output<typeof manifest>, "v" | "sha256">;

/** One part of the host as it was; null where there was nothing. */
export interface SnapshotCopy {
  readonly subject: string;
  readonly target: string;
  readonly kind: SnapshotManifest["copies"][number]["kind"];
  readonly bytes: Uint8Array | null;
}

export interface Snapshot {
  readonly task: string;
  readonly section: PlanSection;
  /** In the order in which their parts are changed. */
  readonly copies: readonly SnapshotCopy[];
  readonly manifest: SnapshotManifest;
}

export function snapshotDirectory({ paths }: Pick<SnapshotPlace, "paths">, task: string): string {
  return join(paths.snapshots, task);
}

/** What the change of a part may use: its programs read their scripts beside the copies. */
export function changeGroundOf(deps: Pick<ChangeDeps, "paths" | "owner" | "run" | "vfs">, task: string): ChangeGround {
  const { paths, owner, run, vfs } = deps;
  return { root: paths.root, owner, run, directory: snapshotDirectory(deps, task), vfs, pause: wait };
}

/** How this host makes operations of a kind and takes them back. `absent` is the fault where this version cannot. */
export function getHostChange({ host }: Pick<ChangeDeps, "host">, kind: OperationKind, absent: FaultCode): HostChange {
  const change = host.findChange(kind);
  if (change === undefined) throw fault(absent, `expected a kind that this version makes, found ${kind}`);
  return change;
}

export function sha256Of(bytes: Uint8Array): string {
  return hexDigest(sha256, bytes);
}

/** What stands behind the prefix of a subject. */
export function targetOf(subject: string): string {
  return subject.slice(subject.indexOf(":") + 1);
}

/** The tasks that have a directory here, with a manifest or without. */
export async function listSnapshots({ vfs, paths }: SnapshotPlace): Promise<string[]> {
  return (await listIn(vfs, paths.snapshots)).filter((name) => taskName.safeParse(name).success);
}

/** Without its manifest it is a leftover: nothing was changed then, or all is settled. */
export async function hasManifest(place: SnapshotPlace, task: string): Promise<boolean> {
  return (await listIn(place.vfs, snapshotDirectory(place, task))).includes(names.manifest);
}

export async function putCopy(place: SnapshotPlace, task: string, index: number, bytes: Uint8Array): Promise<void> {
  await writeDurably(place.vfs, join(snapshotDirectory(place, task), names.copy(index)), bytes);
}

export async function putManifest(place: SnapshotPlace, kept: SnapshotManifest): Promise<void> {
  const path = join(snapshotDirectory(place, kept.task), names.manifest);
  await writeDurably(place.vfs, path, byteForm({ v: 1, ...kept, sha256: manifestDigest(kept) }));
}

/** Every copy is the one that was kept, or it throws `snapshot.unprovable`. */
export async function readSnapshot(place: SnapshotPlace, task: string): Promise<Snapshot> {
  const directory = snapshotDirectory(place, task);
  const path = join(directory, names.manifest);
  const bytes = await findBytesAt(place.vfs, path);
  if (bytes === undefined) throw fault("snapshot.unprovable", `expected ${path}, found none`);
  const read = manifest.safeParse(readByteForm(bytes, bodyLimits));
  const kept = read.success ? wholeOf(read.data) : undefined;
  if (kept?.task !== task) throw fault("snapshot.unprovable", `${path} is not as it was written`);
  const copies: SnapshotCopy[] = [];
  for (const [index, { subject, kind, sha256 }] of kept.copies.entries()) {
    const copy = sha256 === null ? null : await readCopy(place, join(directory, names.copy(index)), sha256);
    copies.push({ subject, kind, target: targetOf(subject), bytes: copy });
  }
  return { task, section: sectionOf(kept.accepted), copies, manifest: kept };
}

/** Undefined when it is not what its digest names. */
function wholeOf({ task, accepted, copies, sha256 }: z.output<typeof manifest>): SnapshotManifest | undefined {
  const kept = { task, accepted, copies };
  return sha256 === manifestDigest(kept) ? kept : undefined;
}

function manifestDigest(kept: SnapshotManifest): string {
  return sha256Of(byteForm(kept));
}

async function readCopy({ vfs }: SnapshotPlace, path: string, sha256: string): Promise<Uint8Array> {
  const bytes = await findBytesAt(vfs, path);
  if (bytes !== undefined && sha256Of(bytes) === sha256) return bytes;
  throw fault(
    "snapshot.unprovable",
    `expected ${path} with ${sha256}, found ${bytes === undefined ? "none" : "other"}`,
  );
}

/** Only when the change has ended, or there is no manifest. The manifest goes first: half a snapshot is none. */
export async function dropSnapshot({ vfs, paths }: SnapshotPlace, task: string): Promise<void> {
  const directory = snapshotDirectory({ paths }, task);
  const found = await findNames(vfs, directory);
  if (found === undefined) return;
  if (found.includes(names.manifest)) {
    await vfs.remove(join(directory, names.manifest));
    await vfs.syncDirectory(directory);
  }
  for (const name of found) await vfs.remove(join(directory, name));
  await vfs.syncDirectory(directory);
  await vfs.removeDirectory(directory);
  await vfs.syncDirectory(paths.snapshots);
}

/**
 * What is known of a snapshot besides the journal. `restored`: it is put back, though the journal could not say it, and is not to be put
 * back again. `unrestored`: its change has ended, and putting it back goes on being tried.
 */
export type SnapshotMark = "restored" | "unrestored";

export async function markSnapshot(place: SnapshotPlace, task: string, mark: SnapshotMark): Promise<void> {
  await writeDurably(place.vfs, join(snapshotDirectory(place, task), mark), byteForm({ v: 1, task }));
}

export async function isMarked(place: SnapshotPlace, task: string, mark: SnapshotMark): Promise<boolean> {
  return (await listIn(place.vfs, snapshotDirectory(place, task))).includes(mark);
}

const names = {
  manifest: "manifest.json",
  copy: (index: number) => `copy-${index}`,
};

/** Nothing where there is no such directory. */
export async function listIn(vfs: SnapshotPlace["vfs"], directory: string): Promise<readonly string[]> {
  return (await findNames(vfs, directory)) ?? [];
}

async function findNames(vfs: SnapshotPlace["vfs"], directory: string): Promise<readonly string[] | undefined> {
  try {
    return await vfs.list(directory);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
