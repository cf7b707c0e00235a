import { fault } from "@gatehouse/contract/faults";
import type { ArchivedGroup } from "./audit-index/audit-index.ts";
import type { Head } from "./port.ts";

/** The last end of an archived group at or before `position`: the chain can only begin again at such a place. */
export async function findGroupEnd(
  groups: (after: number, limit: number) => Promise<readonly ArchivedGroup[]>,
  position: number,
): Promise<Head> {
  let end: Head | undefined;
  for (let after = 0; ; ) {
    const page = await groups(after, 1_000);
    for (const group of page) {
      // One whose entries are gone ends where it begins, or it would be asked for again and again.
      after = group.first + Math.max(group.entries.length, 1) - 1;
      if (after > position) break;
      end = { position: after, link: group.link };
    }
    if (page.length === 0 || after > position) break;
  }
  if (end === undefined)
    throw fault("store.malformed", `there is no archived record at or before position ${position}`);
  return end;
}
