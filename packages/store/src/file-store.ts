import { join } from "node:path";
import type { JsonObject } from "@gatehouse/base";
import type { AuditEntry } from "@gatehouse/contract";
import { fault, isFault } from "@gatehouse/contract/faults";
import { auditFloorKey, type RecordKey, type RecordKind } from "@gatehouse/contract/records";
import { isFull, makeDirectoryDurably, nodeVfs, ownFile, type Vfs } from "@gatehouse/files";
import type { AuditIndex } from "./audit-index/audit-index.ts";
import { rebuildArchive } from "./audit-index/rebuild-archive.ts";
import { openSqliteIndex } from "./audit-index/sqlite-index.ts";
import { boot, type Booted } from "./boot.ts";
import { archiveName, findSearchFlaw, type RunStep, type VerifyArchiveHow } from "./check-archive.ts";
import { Checkpoints } from "./checkpoints.ts";
import { DiskGuard, diskFull } from "./disk-guard.ts";
import { findGroupEnd } from "./find-group-end.ts";
import { Followers } from "./follow.ts";
import { GroupCommit, type Waiting } from "./group-commit.ts";
import { IndexFeed } from "./index-feed.ts";
import { clampQuery } from "./judge.ts";
import type { KeptHeads } from "./heads/kept-heads.ts";
import { type Kinds, productKinds } from "./kinds.ts";
import { lockDirectory } from "./lock.ts";
import { genesis, logFormat } from "./log-format.ts";
import { logName } from "./log-reader.ts";
import { type MasterKey, masterKeyName } from "./master-key.ts";
import {
  type AuditQuery,
  type Broken,
  type Change,
  type CheckReport,
  type Committed,
  type Expect,
  type Head,
  limits,
  type Store,
  type StoredRecord,
  type StoreHealth,
  type Told,
  type VerifyReport,
} from "./port.ts";
import { stateName } from "./state-file.ts";
import { Turn } from "./turn.ts";
import { verifyRunning } from "./verify-running.ts";

export interface FileStoreOptions {
  readonly directory: string;
  /** For tests: other kinds of records than the contract's table has. */
  readonly kinds?: Kinds | undefined;
  readonly masterKeyFile?: string | undefined;
  /** Told of things that are worth a line in the log. */
  readonly onWarning?: (message: string, cause?: unknown) => void;
  /** The disk failed: end the process without answering anybody. */
  readonly onFatal?: (error: unknown) => void;
  /** When the log has grown beyond max(this, size of the state), a checkpoint is made. */
  readonly checkpointBytes?: number;
  readonly checkpointMs?: number;
  /** For tests: another disk, another index, another lock. */
  readonly vfs?: Vfs;
  readonly openIndex?: () => Promise<AuditIndex>;
  readonly lock?: (directory: string) => { release(): void };
}

/** Opens the data directory, or refuses it by name. Once open, the directory belongs to this process. */
export async function openFileStore(options: FileStoreOptions): Promise<FileStore> {
  const vfs = options.vfs ?? nodeVfs;
  await makeDirectoryDurably(vfs, options.directory).catch((error: unknown) => {
    throw fault("store.directory_unusable", `${options.directory} cannot be created or entered`, { cause: error });
  });
  const lock = (options.lock ?? lockDirectory)(options.directory);
  try {
    // A copy made by hand may have left them readable for others.
    if (options.vfs === undefined) {
      for (const name of [stateName, logName, masterKeyName]) ownFile(join(options.directory, name), false);
    }
    const archive = join(options.directory, archiveName);
    const booted = await boot({
      vfs,
      directory: options.directory,
      kinds: options.kinds ?? productKinds,
      masterKeyFile: options.masterKeyFile,
      openIndex: options.openIndex ?? (() => openSqliteIndex({ path: archive })),
      rebuildArchive: () => rebuildArchive(archive),
    });
    const store = new FileStore(options, vfs, lock, booted);
    // A log that an earlier version began is not gone on with: it would refuse what is written now without saying why.
    if (booted.reading.format < logFormat) await store.renewLog();
    return store;
  } catch (error) {
    lock.release();
    throw isFull(error) ? diskFull(undefined, error) : error;
  }
}

/** The store of one container: state.json, its audit log, logs.db and master.key. */
export class FileStore implements Store {
  readonly key: MasterKey;
  /** What a power cut left at the end of the log when this store was opened; it was never acknowledged. */
  readonly cut: Booted["cut"];
  /** Why `logs.db` was made anew from its entries when this store was opened. */
  readonly rebuilt: Booted["rebuilt"];
  readonly #options: FileStoreOptions;
  readonly #lock: { release(): void };
  readonly #booted: Booted;
  readonly #commits: GroupCommit;
  readonly #feed: IndexFeed;
  readonly #guard: DiskGuard;
  readonly #followers: Followers;
  /** Checkpoints, verification and pruning take turns: each needs the files to stay where they are. */
  readonly #upkeep = new Turn();
  readonly #timer: NodeJS.Timeout;
  readonly #checkpoints: Checkpoints;
  #dead = false;
  #closing: Promise<void> | undefined;

  constructor(options: FileStoreOptions, vfs: Vfs, lock: { release(): void }, booted: Booted) {
    this.#options = options;
    this.#lock = lock;
    this.#booted = booted;
    this.key = booted.key;
    this.cut = booted.cut;
    this.rebuilt = booted.rebuilt;
    this.#followers = new Followers((error) => this.#warn("a follower of the audit log failed", error));
    this.#guard = new DiskGuard(vfs, options.directory);
    this.#feed = new IndexFeed(booted.index, booted.log, booted.archivedEnd);
    this.#commits = new GroupCommit({
      log: booted.log,
      head: booted.head,
      kinds: options.kinds ?? productKinds,
      seal: booted.seal,
      visibleVersion: (key) => booted.state.table.versionOf(key),
      onDurable: (group) => this.#onDurable(group),
      onFatal: (error) => this.#fatal(error),
      onFull: () => void this.#guard.look(),
    });
    this.#checkpoints = new Checkpoints({
      vfs,
      directory: options.directory,
      booted,
      commits: this.#commits,
      feed: this.#feed,
      upkeep: this.#upkeep,
      logBytes: options.checkpointBytes ?? 64 * 1024 * 1024,
      onFull: (error) => {
        void this.#guard.look();
        this.#warn("no checkpoint was made: the disk is full", error);
      },
      onUnarchived: (error) => {
        const what = isFault(error, "store.log_damaged") ? logName : "the archive in logs.db";
        this.#warn(`${what} is damaged: the log keeps growing; see gatehouse state recover`, error);
      },
      onFatal: (error) => this.#fatal(error),
    });
    this.#timer = setInterval(() => this.#checkpoints.begin(), options.checkpointMs ?? 600_000).unref();
  }

  get<T extends JsonObject>(key: RecordKey<T>): Promise<StoredRecord<T> | undefined> {
    if (this.#closing !== undefined) return Promise.reject(closed());
    return Promise.resolve(this.#booted.state.table.get(key));
  }

  list<T extends JsonObject>(
    kind: RecordKind<T>,
    page: { readonly after?: RecordKey<T>; readonly limit?: number } = {},
  ): Promise<readonly StoredRecord<T>[]> {
    if (this.#closing !== undefined) return Promise.reject(closed());
    const limit = Math.min(page.limit ?? limits.pageItems, limits.pageItems);
    return Promise.resolve(this.#booted.state.table.list(kind, page.after, limit));
  }

  commit(entry: AuditEntry, changes: readonly Change[] = [], expects: readonly Expect[] = []): Promise<Committed> {
    try {
      this.#guard.check();
    } catch (error) {
      return Promise.reject(error);
    }
    return this.#commits.commit(entry, changes, expects);
  }

  head(): Promise<Head> {
    return Promise.resolve(this.#commits.head);
  }

  async linkAt(position: number): Promise<string | undefined> {
    if (this.#closing !== undefined) throw closed();
    await this.#feed.catchUp();
    return this.#booted.index.linkAt(position);
  }

  /** What was signed of the log, kept in `logs.db` beside it. */
  get heads(): KeptHeads {
    return this.#booted.index.heads;
  }

  async searchAudit(query: AuditQuery) {
    if (this.#closing !== undefined) throw closed();
    await this.#feed.catchUp();
    return this.#booted.index.search(clampQuery(query));
  }

  verifyAudit(since?: Head): Promise<VerifyReport> {
    return this.#upkeep.run(() => this.#verify({ columns: true, since }));
  }

  async checkAudit(): Promise<CheckReport> {
    const { index } = this.#booted;
    const runStep: RunStep = (step) =>
      this.#closing === undefined ? this.#upkeep.run(step) : Promise.reject(closed());
    const { position } = this.#floor;
    // A crash may have kept it from being done when it was decided.
    await runStep(() => index.prune(position));
    const report = await this.#verify({ runStep });
    // What was pruned meanwhile was not there to be read.
    if (!report.ok && this.#floor.position !== position) return this.checkAudit();
    if (!report.ok) return report;
    const flaw = await findSearchFlaw(index, runStep);
    if (flaw === undefined) return report;
    const found: Broken = { file: archiveName, ...flaw };
    try {
      await runStep(() => index.rebuildSearch());
      return { ...report, rebuilt: found };
    } catch (error) {
      if (isFault(error, "store.closed")) throw error;
      this.#warn("what search goes by could not be made anew", error);
      return { ...report, ok: false, broken: found };
    }
  }

  get #floor(): Head {
    return this.#booted.state.table.get(auditFloorKey)?.value ?? genesis;
  }

  #verify(how: VerifyArchiveHow): Promise<VerifyReport> {
    const { index, seal } = this.#booted;
    return verifyRunning({
      ...how,
      vfs: this.#options.vfs ?? nodeVfs,
      path: join(this.#options.directory, logName),
      index,
      seal,
      floor: this.#floor,
      head: this.#commits.head,
      size: () => this.#feed.durableEnd,
    });
  }

  async pruneAudit(by: { readonly actor: string; readonly at: number }, position: number): Promise<Committed> {
    const { index, state } = this.#booted;
    const end = await findGroupEnd((after, limit) => index.groups(after, limit), position);
    const value = { position: end.position, link: end.link };
    const was = state.table.versionOf(auditFloorKey);
    const entry: AuditEntry = { ...by, action: "audit.pruned", subject: auditFloorKey.text, detail: value };
    const committed = await this.commit(entry, [{ key: auditFloorKey, was, value }]);
    // Only now: a crash in between leaves records that verification no longer needs, never the other way round.
    await this.#upkeep.run(() => index.prune(end.position));
    return committed;
  }

  health(): StoreHealth {
    const freeBytes = this.#guard.freeBytes;
    const space = freeBytes === undefined ? {} : { freeBytes };
    if (this.#closing !== undefined) return { writable: false, reason: "the store is closed", ...space };
    if (this.#guard.full) return { writable: false, reason: "the disk is full", ...space };
    return { writable: true, ...space };
  }

  /** True when log ingest should stop, so that the audit log is the last thing to stop. */
  get lowOnSpace(): boolean {
    return this.#guard.low;
  }

  follow(listener: Parameters<Store["follow"]>[0]): () => void {
    return this.#followers.add(listener);
  }

  /** Refuses bytes that are kept beside the log, as a commit is refused; larger ones as soon as space is low. */
  requireSpace(bytes: number): void {
    this.#guard.check(bytes);
  }

  /** Writes state.json, archives what it covers, and begins a new log behind it. */
  checkpoint(): Promise<void> {
    return this.#checkpoints.make();
  }

  /** Begins a log of today's format. A full disk leaves the old one in force, and refuses changes by itself. */
  renewLog(): Promise<void> {
    return this.#checkpoints.attempt();
  }

  /** Size of the last state.json. */
  get stateBytes(): number {
    return this.#checkpoints.stateBytes;
  }

  /** Finishes what is under way, makes a checkpoint and gives the directory back. */
  close(): Promise<void> {
    this.#closing ??= this.#close(true);
    return this.#closing;
  }

  /** As `close`, but leaves the log to be replayed by the next start. */
  abandon(): Promise<void> {
    this.#closing ??= this.#close(false);
    return this.#closing;
  }

  async #close(withCheckpoint: boolean): Promise<void> {
    clearInterval(this.#timer);
    this.#guard.stop();
    await this.#commits.close();
    if (withCheckpoint && !this.#dead) await this.#checkpoints.attempt();
    await this.#upkeep.run(async () => {
      await this.#booted.index.close();
      await this.#booted.log.close();
    });
    this.#lock.release();
  }

  #onDurable(group: readonly Waiting[]): void {
    const { state } = this.#booted;
    for (const { changes, version } of group) {
      for (const change of changes) state.apply(change, version);
    }
    this.#feed.grew();
    if (this.#followers.any) this.#followers.tell(group.map(toldOf));
    if (this.#checkpoints.due && this.#closing === undefined) this.#checkpoints.begin();
  }

  #fatal(error: unknown): void {
    this.#dead = true;
    if (this.#options.onFatal !== undefined) {
      this.#options.onFatal(error);
      return;
    }
    process.stderr.write(`the store failed and ends the process: ${String(error)}\n`);
    process.exit(1);
  }

  #warn(message: string, cause?: unknown): void {
    this.#options.onWarning?.(message, cause);
  }
}

function toldOf({ entry, changes, version }: Waiting): Told {
  const changed = changes.map(({ key, value }) => ({ key, version, removed: value === null }));
  return { position: version, entry, changed };
}

function closed(): Error {
  return fault("store.closed", "the store is closed");
}
