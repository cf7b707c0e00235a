import { fault } from "@gatehouse/contract/faults";
import { isAbsent } from "@gatehouse/files";
import type { ChangeDeps } from "./change.ts";

/** For what root may not do to a host in the middle of a change: throws `slot.busy`, with the change that is open and where it stands. */
export async function needNoOpenChange({
  paths,
  vfs,
  openJournal,
}: Pick<ChangeDeps, "paths" | "vfs" | "openJournal">): Promise<void> {
  // Opening a journal makes one, and a host without it has begun nothing.
  const isThere = await vfs.list(paths.journal).then(
    () => true,
    (error: unknown) => {
      if (isAbsent(error)) return false;
      throw error;
    },
  );
  if (!isThere) return;
  const open = await (await openJournal()).look();
  if (open !== undefined) throw fault("slot.busy", `${open.task} is open, and is at "${open.state}"`);
}
