import type { JsonObject } from "@gatehouse/base";
import type { RecordKey, RecordKind } from "@gatehouse/contract/records";
import type { AuditEntry, AuditFacts } from "@gatehouse/contract";

/**
 * An entry as the log holds it. Other versions wrote there too, so the action may be one that this version does not know,
 * and the detail has the form it has. What is written is an `AuditEntry` of the contract.
 */
export interface LoggedEntry extends AuditFacts {
  /** Dotted, noun first: `plugin.installed`. */
  readonly action: string;
  readonly detail?: JsonObject;
}

/**
 * A whole record put in place of the old one (or removed): never a patch. `newVersion` is the old version plus one; an absent
 * record has version 0. Made by `create`, `put` and `remove`, which hold a value to the kind of its key.
 */
export interface Change {
  readonly key: RecordKey;
  readonly newVersion: number;
  readonly value: JsonObject | null;
}

/** A record that was only read, with the version it had. 0 means that it was absent. */
export interface Expect {
  readonly key: RecordKey;
  readonly version: number;
}

export interface StoredRecord<T extends JsonObject = JsonObject> {
  readonly key: RecordKey<T>;
  readonly version: number;
  readonly value: T;
}

export interface Committed {
  /** The entry's place in the audit log, counted from 1. */
  readonly position: number;
}

/** The end of the durable chain. */
export interface Head {
  readonly position: number;
  readonly link: string;
}

export interface AuditRecord extends LoggedEntry {
  readonly position: number;
}

/** All conditions hold together. Newest first unless `order` says otherwise. */
export interface AuditQuery {
  readonly actor?: string;
  /** An exact action, or a noun with a trailing dot for all of its actions: `plugin.` */
  readonly action?: string;
  readonly subject?: string;
  /** Milliseconds since 1970, inclusive. */
  readonly from?: number;
  /** Milliseconds since 1970, exclusive. */
  readonly to?: number;
  /** Words; each must begin some word of the entry's text. */
  readonly text?: string;
  /** Only positions beyond this one, in the direction of `order`. */
  readonly after?: number;
  readonly order?: "newest" | "oldest";
  /** At most 1,000. */
  readonly limit: number;
}

export interface AuditPage {
  readonly items: readonly AuditRecord[];
  /** What to pass as `after` for the next page; absent at the end. */
  readonly next?: number;
}

export interface VerifyReport {
  readonly ok: boolean;
  /** Verification starts after this position; not 0 when older records were pruned. */
  readonly floor: Head;
  readonly head: Head;
  readonly records: number;
  /** The first thing that is wrong. */
  readonly broken?: { readonly position: number; readonly expected: string; readonly found: string };
}

/**
 * The one door to what is kept. There is a single mutation, `commit`; readers see only what is durable.
 * Adapters: memory (tests), file (one container), PostgreSQL (many replicas). All pass the cases in `store-cases.ts`.
 */
export interface Store {
  get<T extends JsonObject>(key: RecordKey<T>): Promise<StoredRecord<T> | undefined>;
  /** Records of one kind in the order of their keys, after the key `after`. */
  list<T extends JsonObject>(
    kind: RecordKind<T>,
    page?: { readonly after?: RecordKey<T>; readonly limit?: number },
  ): Promise<readonly StoredRecord<T>[]>;
  /**
   * Writes the entry and its changes, or refuses both. Resolves when they are durable; only then do readers see them.
   * Versions are judged when the commit is sequenced, against everything sequenced before it, durable or not.
   */
  commit(entry: AuditEntry, changes?: readonly Change[], expects?: readonly Expect[]): Promise<Committed>;
  head(): Promise<Head>;
  searchAudit(query: AuditQuery): Promise<AuditPage>;
  /** Walks the whole chain and recomputes every link. */
  verifyAudit(): Promise<VerifyReport>;
  /** Forgets audit records up to `position`; itself a commit. Verification then starts there and says so. */
  pruneAudit(by: { readonly actor: string; readonly at: number }, position: number): Promise<Committed>;
  /** Cheap: can changes be written right now? */
  health(): StoreHealth;
  /** Hands every durable commit to `listener`, in order, after it is visible. Returns the way to stop. */
  follow(listener: (committed: readonly AuditRecord[]) => void): () => void;
  close(): Promise<void>;
}

export interface StoreHealth {
  readonly writable: boolean;
  readonly reason?: string;
  readonly freeBytes?: number;
}

/** An entry is for people to read and a commit for one decision; larger bytes belong into a blob. */
export const limits = {
  entryBytes: 16 * 1024,
  commitBytes: 1024 * 1024,
  pageItems: 1_000,
} as const;
