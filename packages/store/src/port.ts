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
 * Given by the store. It grows with every write of a key, also across a removal, so that what was seen of a record's first
 * life is never taken for its second; no two writes share one, unless a repair cut the earlier one off. 0 is an absent record.
 */
export type Version = number;

/**
 * A whole record put in place of the old one (or removed): never a patch. `was` is the version that was read. Made by
 * `create`, `put` and `remove`, which hold a value to the kind of its key.
 */
export interface Change {
  readonly key: RecordKey;
  readonly was: Version;
  readonly value: JsonObject | null;
}

/** A record that was only read, with the version it had. 0 means that it was absent. */
export interface Expect {
  readonly key: RecordKey;
  readonly version: Version;
}

export interface StoredRecord<T extends JsonObject = JsonObject> {
  readonly key: RecordKey<T>;
  readonly version: Version;
  /** Frozen: what is read cannot be changed by its reader. */
  readonly value: T;
}

export interface Committed {
  /** Of every record this commit wrote. */
  readonly version: Version;
}

/** A commit, as followers hear of it. */
export interface Told {
  /** The entry's place in the audit log, counted from 1. */
  readonly position: number;
  readonly entry: LoggedEntry;
  readonly changed: readonly { readonly key: RecordKey; readonly version: Version; readonly removed: boolean }[];
}

export interface Read {
  /** As new as the last commit that was acknowledged to anybody; a round trip where there is one. */
  readonly newest?: boolean;
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
  readonly broken?: Broken;
}

/** Something that is not as it was written. */
export interface Broken {
  /** The file it is in; what to do about it is said by `gatehouse state recover`. */
  readonly file: string;
  readonly position: number;
  readonly expected: string;
  readonly found: string;
}

export interface CheckReport extends VerifyReport {
  /** What search goes by was not what the entries say. It was made anew from them; the entries themselves are whole. */
  readonly rebuilt?: Broken;
}

/**
 * The one door to what is kept. There is a single mutation, `commit`; readers see only what is durable.
 * Adapters: memory (tests), file (one container), PostgreSQL (many replicas). All pass the cases in `store-cases.ts`.
 */
export interface Store {
  /** What was acknowledged here is read here at once; of one key nothing older is ever read again. */
  get<T extends JsonObject>(key: RecordKey<T>, read?: Read): Promise<StoredRecord<T> | undefined>;
  /** Records of one kind in the order of their keys, after the key `after`: at most `limits.pageItems`. `listRecords` gives all of them. */
  list<T extends JsonObject>(
    kind: RecordKind<T>,
    page?: Read & { readonly after?: RecordKey<T>; readonly limit?: number },
  ): Promise<readonly StoredRecord<T>[]>;
  /**
   * Writes the entry and its changes, or refuses both. Resolves when they are durable; readers see them no sooner. The values
   * are frozen: they belong to the store from then on.
   *
   * Refuses with `store.conflict` (the next read of that key is at least what was found), `store.unavailable` (it was not
   * sent), `store.outcome_unknown` (it was sent and nothing was heard: it may have happened, and is never repeated blindly).
   */
  commit(entry: AuditEntry, changes?: readonly Change[], expects?: readonly Expect[]): Promise<Committed>;
  /** It, the search and the verification know everything that was acknowledged here. */
  head(): Promise<Head>;
  /** The link of the chain at a position; undefined where no head ever was, and where it was pruned. */
  linkAt(position: number): Promise<string | undefined>;
  searchAudit(query: AuditQuery): Promise<AuditPage>;
  /** Walks the whole chain and recomputes every link; with `since`, the end of an earlier walk, only what came after it. */
  verifyAudit(since?: Head): Promise<VerifyReport>;
  /**
   * As the verification, and everything that search goes by too. Takes long, in small steps beside other work; a store that
   * is closed meanwhile refuses with `store.closed`.
   */
  checkAudit(): Promise<CheckReport>;
  /** Forgets audit records up to `position`; itself a commit. Verification then starts there and says so. */
  pruneAudit(by: { readonly actor: string; readonly at: number }, position: number): Promise<Committed>;
  /** Cheap: can changes be written right now? */
  health(): StoreHealth;
  /**
   * Every commit once, in the order of positions, from here and from elsewhere: a promise about order, not about the moment.
   * Told of a key, reading it here gives that version or a newer one. Returns the way to stop.
   */
  follow(listener: (told: readonly Told[]) => void): () => void;
  /** Afterwards reads and commits are refused alike. */
  close(): Promise<void>;
}

export interface StoreHealth {
  readonly writable: boolean;
  readonly reason?: string;
  readonly freeBytes?: number;
  /** How old what is read may be, where commits are made elsewhere too. */
  readonly heardMs?: number;
}

/** An entry is for people to read and a commit for one decision; larger bytes belong into a blob. */
export const limits = {
  entryBytes: 16 * 1024,
  commitBytes: 1024 * 1024,
  pageItems: 1_000,
} as const;
