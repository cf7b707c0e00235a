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
  close(): Promise<void>;
}
