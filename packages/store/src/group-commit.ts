import type { AuditEntry } from "@gatehouse/contract";
import { fault } from "@gatehouse/contract/faults";
import type { RecordKey } from "@gatehouse/contract/records";
import { isFull } from "@gatehouse/files";
import { deepFreeze } from "./deep-freeze.ts";
import { diskFull } from "./disk-guard.ts";
import { judgeVersions, writeCommit } from "./judge.ts";
import type { Kinds } from "./kinds.ts";
import { encodeGroup } from "./log-format.ts";
import type { LogSeal } from "./log-seal.ts";
import type { LogWriter } from "./log-writer.ts";
import type { Change, Committed, Expect, Head, Version } from "./port.ts";
import { Turn } from "./turn.ts";

export interface Waiting {
  readonly entry: AuditEntry;
  readonly changes: readonly Change[];
  readonly entryText: string;
  readonly changesText: string;
  /** Its position, which is the version of what it writes. */
  readonly version: Version;
  readonly resolve: (committed: Committed) => void;
  readonly reject: (reason: unknown) => void;
}

export interface GroupCommitDeps {
  readonly log: LogWriter;
  readonly head: Head;
  readonly kinds: Kinds;
  readonly seal: Pick<LogSeal, "of">;
  /** The version readers see, 0 when absent. */
  readonly visibleVersion: (key: RecordKey) => number;
  /** A group is durable: make it visible. */
  readonly onDurable: (group: readonly Waiting[]) => void;
  /** Nothing is known about the disk any more: the process must end. */
  readonly onFatal: (error: unknown) => void;
  readonly onFull: () => void;
}

const groupCommits = 4_096;
const groupChars = 4 * 1024 * 1024;
const idleMarkMs = 100;

/**
 * Sequences commits and makes them durable in groups: while one group is being synced, the next one gathers. Versions are
 * judged here against the pending head; what readers see moves only after the sync.
 */
export class GroupCommit {
  readonly #deps: GroupCommitDeps;
  /** Versions that are sequenced but not yet durable; `given` is the version of the commit that wrote them. */
  readonly #pending = new Map<string, { version: Version; given: Version }>();
  #queue: Waiting[] = [];
  #head: Head;
  /** Version of the commit that was sequenced last. */
  #sequenced: Version;
  #running: Promise<void> | undefined;
  /** Who may write at the end of the log: a group, a mark, or a rotation. */
  readonly #turn = new Turn();
  #ended: (() => unknown) | undefined;
  #failedForGood = false;
  #markTimer: NodeJS.Timeout | undefined;

  constructor(deps: GroupCommitDeps) {
    this.#deps = deps;
    this.#head = deps.head;
    this.#sequenced = deps.head.position;
  }

  get head(): Head {
    return this.#head;
  }

  commit(entry: AuditEntry, changes: readonly Change[], expects: readonly Expect[]): Promise<Committed> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) throw this.#ended();
      const texts = writeCommit(this.#deps.kinds, entry, changes);
      judgeVersions(this.#pendingVersion, changes, expects);
      this.#sequenced += 1;
      const version = this.#sequenced;
      for (const { key, value } of changes) {
        if (value !== null) deepFreeze(value);
        this.#pending.set(key.text, { version: value === null ? 0 : version, given: version });
      }
      this.#queue.push({
        entry,
        changes,
        entryText: texts.entry,
        changesText: texts.changes,
        version,
        resolve,
        reject,
      });
      this.#running ??= this.#start();
    });
  }

  readonly #pendingVersion = (key: RecordKey): number =>
    this.#pending.get(key.text)?.version ?? this.#deps.visibleVersion(key);

  /** Begins after the events at hand, so that requests which arrived together share a sync. */
  #start(): Promise<void> {
    clearTimeout(this.#markTimer);
    return new Promise((resolve) => {
      setImmediate(() => {
        void this.#run().finally(() => {
          this.#running = undefined;
          if (this.#queue.length > 0) this.#running = this.#start();
          else this.#markTimer = setTimeout(() => void this.#markIdle(), idleMarkMs).unref();
          resolve();
        });
      });
    });
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      if (!this.#turn.tryTake()) await this.#turn.take();
      const group = this.#takeGroup();
      const { bytes, head } = encodeGroup(
        this.#head,
        group.map((waiting) => waiting.entryText),
        group.map((waiting) => waiting.changesText),
        this.#deps.seal,
      );
      try {
        await this.#deps.log.append(bytes, head);
      } catch (error) {
        await this.#failed(group, error);
        this.#turn.give();
        return;
      }
      this.#head = head;
      for (const waiting of group) this.#forgetPending(waiting);
      this.#deps.onDurable(group);
      // Given only now: whoever pauses the log finds its end, its head and the visible state at the same position.
      this.#turn.give();
      for (const waiting of group) waiting.resolve({ version: waiting.version });
    }
  }

  #takeGroup(): Waiting[] {
    let chars = 0;
    let count = 0;
    for (const waiting of this.#queue) {
      chars += waiting.entryText.length + waiting.changesText.length;
      if (count > 0 && (chars > groupChars || count >= groupCommits)) break;
      count += 1;
    }
    if (count === this.#queue.length) {
      const all = this.#queue;
      this.#queue = [];
      return all;
    }
    return this.#queue.splice(0, count);
  }

  #forgetPending(waiting: Waiting): void {
    for (const { key } of waiting.changes) {
      if (this.#pending.get(key.text)?.given === waiting.version) this.#pending.delete(key.text);
    }
  }

  /** A full disk refuses everything that was not acknowledged; any other failure ends the process. */
  async #failed(group: readonly Waiting[], error: unknown): Promise<void> {
    try {
      if (!isFull(error)) throw error;
      await this.#deps.log.rollback();
    } catch (unknown) {
      this.#end(unknown, group);
      return;
    }
    this.#deps.onFull();
    const refused = [...group, ...this.#queue];
    this.#queue = [];
    this.#pending.clear();
    this.#sequenced = this.#head.position;
    for (const waiting of refused) waiting.reject(diskFull(undefined, error));
  }

  #end(error: unknown, group: readonly Waiting[]): void {
    const reason = () => fault("store.closed", "the store stopped because the disk failed", { cause: error });
    this.#ended = reason;
    this.#failedForGood = true;
    // The process ends here. Only where it goes on (in tests) are the waiting told, and what they hear is "unknown".
    this.#deps.onFatal(error);
    for (const waiting of [...group, ...this.#queue]) waiting.reject(reason());
    this.#queue = [];
  }

  async #markIdle(): Promise<void> {
    if (this.#running !== undefined || this.#ended !== undefined) return;
    // A mark that cannot be written is only missing evidence; the next group brings it along.
    await this.#turn.run(() => this.#deps.log.mark()).catch(() => undefined);
  }

  /** Waits for the group under way and holds back the next one until the returned function is called. */
  async pause(): Promise<() => void> {
    await this.#turn.take();
    return () => this.#turn.give();
  }

  /** Refuses further commits and waits until those under way are durable. */
  async close(): Promise<void> {
    this.#ended ??= () => fault("store.closed", "the store is closed");
    while (this.#running !== undefined) await this.#running;
    clearTimeout(this.#markTimer);
    if (!this.#failedForGood) await this.#turn.run(() => this.#deps.log.mark()).catch(() => undefined);
  }
}
