import { bundleLimits, type Entries, listEntries, printable, type VerifiedBundle } from "@gatehouse/bundle/verify";
import { type FaultCode, faults, isFault } from "@gatehouse/contract";
import type { BundleRejection } from "@gatehouse/contract/routes";
import type { Log } from "../../platform/log/index.ts";
import { type JudgeDeps, type Judged, judgeOnDisk } from "./judge-on-disk.ts";

export interface BundlesDeps extends JudgeDeps {
  readonly log: Log;
}

export interface Bundles {
  /** What was loaded at this start, by id. */
  readonly accepted: ReadonlyMap<string, VerifiedBundle>;
  readonly rejections: readonly BundleRejection[];
  findLoaded(id: string): VerifiedBundle | undefined;
  /** Why the entry of this name was not loaded. */
  findRejection(id: string): BundleRejection | undefined;
  /** Reads the disk again. Loads nothing. */
  judge(id: string): Promise<Judged>;
}

/**
 * The startup loader (contract 3): judges every entry of the plugin directory once. Whatever lies there, it resolves; what
 * is not accepted is listed with its reason.
 */
export async function openBundles(deps: BundlesDeps): Promise<Bundles> {
  const at = new Date(deps.clock.now()).toISOString();
  const reject = (name: string, { code, detail }: Found): BundleRejection => {
    const { title, todo } = faults[code];
    return { name: printable(name, shownName), code, title, detail, todo, rejectedAt: at };
  };
  const { entries, rejection } = await readDirectory(deps.directory);
  const judged = await judgeAll(deps, entries.names);
  const accepted = new Map<string, VerifiedBundle>();
  const rejections = rejection === undefined ? [] : [reject(".", rejection)];
  const rejectedById = new Map<string, BundleRejection>();
  for (const [name, one] of judged) {
    if (one.kind === "accepted") accepted.set(name, one.bundle);
    if (one.kind !== "rejected") continue;
    const rejected = reject(
      name,
      refusalOf(one, (id) => judged.has(id)),
    );
    rejections.push(rejected);
    rejectedById.set(name, rejected);
  }
  for (const name of entries.tooMany) rejectedById.set(name, reject(name, tooMany));
  rejections.push(...entries.tooMany.slice(0, listedSurplus).map((name) => reject(name, tooMany)));
  tell(deps.log, deps.directory, accepted.size, rejections, entries);
  return {
    accepted,
    rejections,
    findLoaded: (id) => accepted.get(id),
    findRejection: (id) => rejectedById.get(id),
    judge: (id) => judgeOnDisk(deps, id),
  };
}

type Found = { readonly code: FaultCode; readonly detail: string };

const nobody: Entries = { names: [], tooMany: [], more: false };
const tooMany: Found = {
  code: "bundle.too_many",
  detail: `expected at most ${bundleLimits.entries} entries in the plugin directory; this one comes after them and was not read`,
};

/** A few at a time: reading is the disk's work, and 2,000 open bundles would be 2,000 descriptors. */
const lanes = 4;
/** A name is 255 bytes at most; what is escaped takes more room. */
const shownName = 255;
/** A flooded directory is reported by its first surplus entries and their number. */
const listedSurplus = 100;

/** A plugin directory that is a file, or that nobody may read, is one rejection; the server starts without plugins. */
async function readDirectory(directory: string): Promise<{ entries: Entries; rejection?: Found }> {
  try {
    return { entries: await listEntries(directory) };
  } catch (error) {
    const detail = isFault(error) ? error.detail : "the plugin directory could not be read";
    return { entries: nobody, rejection: { code: "bundle.unreadable", detail } };
  }
}

async function judgeAll(deps: BundlesDeps, names: readonly string[]): Promise<ReadonlyMap<string, Judged>> {
  const judged = new Map<string, Judged>();
  // The keys are set first, so that the order is that of the names, whatever is judged sooner.
  for (const name of names) judged.set(name, { kind: "absent" });
  const waiting = names.values();
  const work = async () => {
    for (const name of waiting) judged.set(name, await judgeOnDisk(deps, name));
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return judged;
}

/** An id in the wrong directory is a second claim on it when the right directory is there as well. */
function refusalOf({ refusal, claimedId }: Judged & { kind: "rejected" }, isThere: (id: string) => boolean): Found {
  const isSecond = refusal.code === "bundle.id_mismatch" && claimedId !== undefined && isThere(claimedId);
  return isSecond ? { code: "bundle.duplicate_id", detail: refusal.detail } : refusal;
}

function tell(
  log: Log,
  directory: string,
  accepted: number,
  rejections: readonly BundleRejection[],
  { tooMany, more }: Entries,
): void {
  for (const { name, code, detail } of rejections) log.warn("a bundle is rejected", { code, name, detail });
  const unread = tooMany.length === 0 ? undefined : `${tooMany.length}${more ? " and more" : ""}`;
  log.info("plugin bundles are loaded", { directory, accepted, rejected: rejections.length, unread });
}
