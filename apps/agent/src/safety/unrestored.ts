import { isAbsent } from "@gatehouse/files";
import type { ChangeDeps } from "./change.ts";

/** Whether a change ended without being taken back wholly: what was kept for it is still there. Asked while no change is open. */
export async function hasUnrestored({ vfs, paths }: Pick<ChangeDeps, "vfs" | "paths">): Promise<boolean> {
  try {
    return (await vfs.list(paths.snapshots)).length > 0;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}
