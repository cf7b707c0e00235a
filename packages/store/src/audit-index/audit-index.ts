import type { KeptHeads } from "../heads/kept-heads.ts";
import type { AuditPage, AuditQuery, Head } from "../port.ts";

/** One group of the log as the archive keeps it: the public bytes and the hash of the changes, never the changes. */
export interface ArchivedGroup {
  /** Position of the group's first entry. */
  readonly first: number;
  /** The JSON texts of the entries exactly as they were hashed, in order. */
  readonly entries: readonly string[];
  readonly changesHash: string;
  readonly link: string;
  /** Position of the first entry that search would not find by what the entry says. The link covers the entry alone. */
  readonly hidden?: number;
}

/**
 * Search and archive of audit entries (`logs.db`). The tail is volatile and rebuilt from the log at boot; the archive
 * is durable. Everything arrives as raw bytes of the log, so that the server's event loop never touches a row.
 */
export interface AuditIndex {
  /** The last archived position and its link; position 0 when nothing was ever archived. */
  archived(): Promise<Head>;
  /** The last position in archive or tail. */
  indexed(): Promise<number>;
  /** Adds whole groups, as bytes of the log, to the tail. Positions already known are ignored. */
  append(log: Uint8Array): Promise<void>;
  /**
   * Moves tail entries up to `head` into the archive: one durable transaction. Insert-or-ignore by position; a position
   * that is there with another hash is refused (`store.files_of_different_moments`).
   */
  archive(head: Head): Promise<void>;
  search(query: AuditQuery): Promise<AuditPage>;
  /** Archived groups after `position`, oldest first, at most `limit` groups. */
  groups(after: number, limit: number): Promise<readonly ArchivedGroup[]>;
  /** Removes archived groups up to `position` (a group's end). `archived()` stays as it was. */
  prune(position: number): Promise<void>;
  /** Lets an empty index begin behind `head`, after a recovery that lost what came before. Refused when anything is archived. */
  beginAt(head: Head): Promise<void>;
  /** What is wrong with the archive, as far as that can be seen without reading the entries. */
  quickCheck(): Promise<Flaw | undefined>;
  /** One step of holding everything that search goes by to what the archived entries say; `begin` starts over. */
  checkSearch(begin: boolean): Promise<SearchCheckStep>;
  /** Makes everything that search goes by anew from the archived entries. */
  rebuildSearch(): Promise<void>;
  /** The link of the group that ends at a position; undefined where none does, or where it was pruned. */
  linkAt(position: number): Promise<string | undefined>;
  /** Kept in the same file: whoever restores it has the heads that were signed until then. */
  readonly heads: KeptHeads;
  close(): Promise<void>;
}

/** Something in the archive that is not as it was written: the first position it concerns, and what was expected there. */
export interface Flaw {
  readonly position: number;
  readonly expected: string;
  readonly found: string;
}

export interface SearchCheckStep {
  readonly done: boolean;
  /** When it is done, and something is wrong. */
  readonly flaw?: Flaw;
}
