import { fault } from "@gatehouse/contract/faults";
import type { KeptHead } from "../heads/kept-heads.ts";
import { memoryHeads } from "../heads/memory-heads.ts";
import { type DecodedGroup, genesis, hashChanges } from "../log-format.ts";
import type { AuditPage, AuditQuery, AuditRecord, Head } from "../port.ts";
import type { ArchivedGroup, AuditIndex } from "./audit-index.ts";
import { chooseNew, endOf, type GroupSpan, type Holding, mustArchive, mustBeEmpty, mustPrune } from "./continuity.ts";
import { readEntries, readGroups } from "./log-lines.ts";
import { matchesQuery, normaliseQuery } from "./normalise-query.ts";

/** What outlives a memory index. Changes in one synchronous step, as the transaction of a real archive does. */
export interface MemoryIndexDisk {
  archived: Head;
  pruned: number;
  groups: MemoryGroup[];
  readonly heads: KeptHead[];
}

/** Entries and hash are made when somebody asks: a boot that searches nothing pays nothing. */
export interface MemoryGroup extends GroupSpan {
  readonly archived: () => ArchivedGroup;
  readonly records: () => readonly AuditRecord[];
}

export function newMemoryIndexDisk(): MemoryIndexDisk {
  return { archived: genesis, pruned: 0, groups: [], heads: [] };
}

/** The index without a database: the same answers, for tests and for simulated crashes. */
export function memoryIndex(disk: MemoryIndexDisk = newMemoryIndexDisk()): AuditIndex {
  let tail: MemoryGroup[] = [];
  let closed = false;

  const last = (): number => {
    const group = tail.at(-1);
    return group === undefined ? disk.archived.position : endOf(group);
  };
  const holding = (): Holding => {
    if (closed) throw fault("store.closed", "the audit index is closed");
    const groupAt = (position: number) => find(position > disk.archived.position ? tail : disk.groups, position);
    return { archived: disk.archived, pruned: disk.pruned, last: last(), groupAt };
  };

  return {
    archived: async () => holding().archived,
    indexed: async () => holding().last,
    append: async (log) => {
      const fresh = chooseNew(readGroups(Buffer.from(log)), holding());
      for (const group of fresh) tail.push(keep(group));
    },
    archive: async (head) => {
      if (!mustArchive(head, holding())) return;
      const count = tail.findIndex((group) => group.first > head.position);
      const moved = count === -1 ? tail : tail.slice(0, count);
      tail = count === -1 ? [] : tail.slice(count);
      for (const group of moved) disk.groups.push(group);
      disk.archived = { position: head.position, link: head.link };
    },
    search: async (query) => {
      holding();
      return search([disk.groups, tail], query);
    },
    groups: async (after, limit) => {
      holding();
      const start = placeOf(disk.groups, after + 1);
      return disk.groups.slice(start, start + Math.max(0, limit)).map((group) => group.archived());
    },
    prune: async (position) => {
      if (!mustPrune(position, holding())) return;
      disk.groups = disk.groups.slice(placeOf(disk.groups, position + 1));
      disk.pruned = position;
    },
    beginAt: async (head) => {
      mustBeEmpty(holding());
      disk.archived = { position: head.position, link: head.link };
      disk.pruned = head.position;
    },
    // It has nothing that could differ from its entries: every search looks at them.
    quickCheck: async () => undefined,
    checkSearch: async () => ({ done: true }),
    rebuildSearch: async () => undefined,
    linkAt: async (position) => {
      const held = holding();
      if (position === held.archived.position) return held.archived.link;
      const group = held.groupAt(position);
      return group !== undefined && endOf(group) === position ? group.link : undefined;
    },
    heads: memoryHeads(disk.heads),
    close: async () => {
      closed = true;
    },
  };
}

function search(parts: readonly (readonly MemoryGroup[])[], asked: AuditQuery): AuditPage {
  const query = normaliseQuery(asked);
  const items: AuditRecord[] = [];
  for (const part of query.newestFirst ? parts.toReversed() : parts) {
    const from = query.newestFirst ? placeOf(part, query.high + 1) - 1 : firstNotBefore(part, query.low);
    for (let at = from; at >= 0 && at < part.length; at += query.newestFirst ? -1 : 1) {
      const records = part[at]?.records() ?? [];
      for (const record of query.newestFirst ? records.toReversed() : records) {
        if (record.position < query.low || record.position > query.high || !matchesQuery(query, record)) continue;
        if (items.length === query.limit) return { items, next: (items.at(-1) as AuditRecord).position };
        items.push(record);
      }
    }
  }
  return { items };
}

function keep(group: DecodedGroup): MemoryGroup {
  let archived: ArchivedGroup | undefined;
  let records: readonly AuditRecord[] | undefined;
  const { first, count, link } = group;
  return {
    first,
    count,
    link,
    archived: () => {
      archived ??= {
        first,
        entries: readEntries(group).map((row) => row.text),
        changesHash: hashChanges(group.changes),
        link,
      };
      return archived;
    },
    records: () => {
      records ??= readEntries(group).map(({ entry, position }) => ({ ...entry, position }));
      return records;
    },
  };
}

/** The first place whose group begins at or after a position. */
function placeOf(groups: readonly GroupSpan[], position: number): number {
  let low = 0;
  let high = groups.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((groups[middle] as GroupSpan).first < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first place whose group ends at or after a position. */
function firstNotBefore(groups: readonly GroupSpan[], position: number): number {
  const place = placeOf(groups, position);
  const before = groups[place - 1];
  return before !== undefined && endOf(before) >= position ? place - 1 : place;
}

function find<T extends GroupSpan>(groups: readonly T[], position: number): T | undefined {
  const group = groups[firstNotBefore(groups, position)];
  return group !== undefined && group.first <= position ? group : undefined;
}
