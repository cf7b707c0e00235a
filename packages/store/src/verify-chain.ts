import type { ArchivedGroup } from "./audit-index/audit-index.ts";
import { linkOf } from "./log-format.ts";
import type { Head, VerifyReport } from "./port.ts";

export interface VerifyChainDeps {
  readonly floor: Head;
  readonly head: Head;
  /** Groups after a position, oldest first; an empty page is the end. */
  /** Whether an entry that search would not find counts: not where all that search goes by is checked afterwards. */
  readonly columns?: boolean;
  readonly groups: (after: number, limit: number) => Promise<readonly ArchivedGroup[]>;
}

/** Recomputes every link from the floor to the head. The first thing that does not fit is named; nothing is assumed. */
export async function verifyChain(deps: VerifyChainDeps): Promise<VerifyReport> {
  let at = deps.floor;
  const broken = (position: number, expected: string, found: string): VerifyReport => ({
    ok: false,
    floor: deps.floor,
    head: deps.head,
    records: at.position - deps.floor.position,
    broken: { file: "logs.db", position, expected, found },
  });
  for (;;) {
    const page = await deps.groups(at.position, 1_000);
    if (page.length === 0) break;
    for (const group of page) {
      if (group.first !== at.position + 1) {
        return broken(
          at.position + 1,
          `a group that begins at ${at.position + 1}`,
          `one that begins at ${group.first}`,
        );
      }
      const entries = `[${group.entries.join(",")}]`;
      const link = linkOf(at.link, group.first, group.entries.length, entries, group.changesHash);
      if (link !== group.link) return broken(group.first, `link ${link}`, `link ${group.link}`);
      if (deps.columns === true && group.hidden !== undefined) {
        return broken(
          group.hidden,
          "an entry that search finds by what it says",
          "one that is filed as something else",
        );
      }
      at = { position: group.first + group.entries.length - 1, link };
    }
  }
  if (at.position !== deps.head.position) {
    return broken(at.position + 1, `records up to ${deps.head.position}`, `an end at ${at.position}`);
  }
  if (at.link !== deps.head.link) return broken(at.position, `link ${deps.head.link}`, `link ${at.link}`);
  return { ok: true, floor: deps.floor, head: deps.head, records: at.position - deps.floor.position };
}
