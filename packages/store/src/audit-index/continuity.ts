import { fault } from "@gatehouse/contract/faults";
import { type DecodedGroup, genesis, hashChanges, linkOf } from "../log-format.ts";
import type { Head } from "../port.ts";

/** A group as far as the chain is concerned. */
export interface GroupSpan {
  readonly first: number;
  readonly count: number;
  readonly link: string;
}

/** What an adapter holds: archive and tail together, without gaps, from the pruned position on. */
export interface Holding {
  readonly archived: Head;
  /** Everything up to here was removed; 0 when nothing was. */
  readonly pruned: number;
  /** The last position in archive or tail. */
  readonly last: number;
  /** The held group that contains a position. */
  groupAt(position: number): GroupSpan | undefined;
}

/** A group whose link was recomputed. */
export interface FreshGroup extends DecodedGroup {
  readonly changesHash: string;
}

/**
 * Which of these groups are new. Known ones are left out, but only when they are the same, and new ones have to follow by
 * their links: a log that was altered is noticed at once, not when somebody verifies the chain.
 */
export function chooseNew(groups: readonly DecodedGroup[], held: Holding): readonly FreshGroup[] {
  let last = held.last;
  let link = last === 0 ? genesis.link : linkAtEnd(last, held);
  const fresh: FreshGroup[] = [];
  for (const group of groups) {
    if (group.first > last + 1) {
      const expected = `a group that begins at ${last + 1}`;
      const found = `one that begins at ${group.first}`;
      const fields = { position: last + 1, expected, found };
      throw fault("store.log_damaged", `expected ${expected}, found ${found}`, { fields });
    }
    if (group.first === last + 1) {
      const changesHash = hashChanges(group.changes);
      link = linkOf(link ?? genesis.link, group.first, group.count, group.entries, changesHash);
      if (link !== group.link) throw wrongLink(group, link);
      fresh.push({ ...group, changesHash });
      last = endOf(group);
    } else if (group.first <= held.last) {
      mustBeSame(group, held);
    } else {
      throw fault("store.log_damaged", `position ${group.first} appears twice`, { fields: { position: group.first } });
    }
  }
  return fresh;
}

/** Whether archiving up to `head` has anything to move. Refuses a head that is not the end of a held group. */
export function mustArchive(head: Head, held: Holding): boolean {
  // Of what was pruned only the archive's own head is left to compare with.
  if (head.position <= held.pruned && head.position !== held.archived.position) return false;
  const link = linkAtEnd(head.position, held);
  if (link === undefined) {
    throw differ(head.position, `expected the end of a group, and the last known position is ${held.last}`);
  }
  if (link !== head.link) throw differ(head.position, `expected link ${head.link}, found link ${link}`);
  return head.position > held.archived.position;
}

/** Whether pruning up to `position` has anything to remove. Refuses a place where the chain cannot begin again. */
export function mustPrune(position: number, held: Holding): boolean {
  if (position <= held.pruned) return false;
  const group = position > held.archived.position ? undefined : held.groupAt(position);
  if (group !== undefined && endOf(group) === position) return true;
  const before = group === undefined ? held.archived.position : group.first - 1;
  const ends = group === undefined ? `${before}` : `${before} and ${endOf(group)}`;
  throw fault("store.malformed", `position ${position} is not the end of an archived group; the nearest is ${ends}`, {
    fields: { position, before, ...(group === undefined ? {} : { after: endOf(group) }) },
  });
}

/** Refuses to let an index begin anew that already holds something. */
export function mustBeEmpty(held: Holding): void {
  if (held.last > 0) throw fault("store.malformed", `the index already holds positions up to ${held.last}`);
}

export function endOf(group: GroupSpan): number {
  return group.first + group.count - 1;
}

function wrongLink({ first, link }: DecodedGroup, expected: string): Error {
  const fields = { position: first, expected: `link ${expected}`, found: `link ${link}` };
  return fault("store.log_damaged", `position ${first}: expected link ${expected}, found link ${link}`, { fields });
}

function linkAtEnd(position: number, held: Holding): string | undefined {
  if (position === held.archived.position) return held.archived.link;
  const group = held.groupAt(position);
  return group !== undefined && endOf(group) === position ? group.link : undefined;
}

function mustBeSame(group: DecodedGroup, held: Holding): void {
  if (endOf(group) <= held.pruned) return;
  const known = held.groupAt(group.first);
  if (known === undefined || known.first !== group.first || known.count !== group.count) {
    throw differ(group.first, `the log has a group of ${group.count} there, the index has another one`);
  }
  if (known.link !== group.link) {
    throw differ(group.first, `the index has link ${known.link}, the log has link ${group.link}`);
  }
}

function differ(position: number, detail: string) {
  return fault("store.files_of_different_moments", `position ${position}: ${detail}`, { fields: { position } });
}
