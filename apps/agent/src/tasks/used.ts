import { dirname } from "node:path";
import { fault } from "@gatehouse/contract/faults";
import { makeDirectoryDurably, nodeVfs, type Vfs, writeDurably } from "@gatehouse/files";
import type { AgentPaths } from "../config.ts";
import { findOwnedFile } from "../host/read-owned-file.ts";
import {
  emptyUsed,
  mostUsedBytes,
  parseUsed,
  type UsedApproval,
  type UsedList,
  withUsed,
  writeUsed,
} from "./used-file.ts";

export interface UsedPlace {
  readonly paths: Pick<AgentPaths, "used">;
  readonly owner: number;
  /** Where it is written; tests alone have another disk. */
  readonly vfs?: Vfs | undefined;
}

/** What the host has used, for whoever judges the next approval. */
export interface UsedApprovals {
  readonly isSpent: (approvalId: string) => boolean;
  readonly horizon: number;
}

/** The whole file is read and checked each time: one that is not sound counts for everything used, and throws. */
export function readUsed(place: UsedPlace): UsedApprovals {
  const { entries, horizon } = readList(place);
  const spent = new Set(entries.map(({ approvalId }) => approvalId));
  return { isSpent: (approvalId) => spent.has(approvalId), horizon };
}

/** On the disk when this returns. Whoever calls it has nothing else under way with the file. */
export async function addUsed(place: UsedPlace, used: UsedApproval): Promise<void> {
  const list = readList(place);
  if (list.entries.some(({ approvalId }) => approvalId === used.approvalId)) {
    throw fault("use.spent", `expected a first use, found ${used.approvalId} again`);
  }
  const { vfs = nodeVfs, paths } = place;
  await makeDirectoryDurably(vfs, dirname(paths.used));
  await writeDurably(vfs, paths.used, writeUsed(withUsed(list, used)));
}

function readList({ paths, owner }: UsedPlace): UsedList {
  const unsafe = "journal.unsound";
  const bytes = findOwnedFile({ path: paths.used, owner, forbidden: 0o077, unsafe, mostBytes: mostUsedBytes });
  return bytes === undefined ? emptyUsed : parseUsed(bytes, paths.used);
}
