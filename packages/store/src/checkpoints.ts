import { join } from "node:path";
import { isFault } from "@gatehouse/contract/faults";
import { isFull, UnknownOutcome, type Vfs } from "@gatehouse/files";
import type { Booted } from "./boot.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { IndexFeed } from "./index-feed.ts";
import { stateName, writeState } from "./state-file.ts";
import type { Turn } from "./turn.ts";

export interface CheckpointsDeps {
  readonly vfs: Vfs;
  readonly directory: string;
  readonly booted: Booted;
  readonly commits: GroupCommit;
  readonly feed: IndexFeed;
  /** Shared with whoever else needs the files to stay where they are. */
  readonly upkeep: Turn;
  /** A checkpoint is due when the log has grown beyond max(this, size of the state). */
  readonly logBytes: number;
  readonly onFull: (error: unknown) => void;
  /** The archive or the log is damaged: the log keeps what cannot be archived, and goes on. */
  readonly onUnarchived: (error: unknown) => void;
  readonly onFatal: (error: unknown) => void;
}

const retryMs = 10_000;

/** Writes state.json, archives what it covers, and begins a new log behind it: when it is due, and when asked. */
export class Checkpoints {
  readonly #deps: CheckpointsDeps;
  #last: { position: number; size: number };
  #underWay = false;
  #notBefore = 0;

  constructor(deps: CheckpointsDeps) {
    this.#deps = deps;
    this.#last = deps.booted.checkpoint;
  }

  /** Size of the last state.json. */
  get stateBytes(): number {
    return this.#last.size;
  }

  get due(): boolean {
    return this.#deps.booted.log.end > Math.max(this.#deps.logBytes, this.#last.size);
  }

  /** Begins a checkpoint in the background, unless one is under way or the disk was full a moment ago. */
  begin(): void {
    if (this.#underWay || performance.now() < this.#notBefore) return;
    this.#underWay = true;
    void this.attempt().finally(() => {
      this.#underWay = false;
    });
  }

  /**
   * Makes a checkpoint. A full disk, a damaged archive or a damaged log leaves the log in force; any other doubt ends the
   * process. The state was written by then, so that what was acknowledged lasts even where its records are damaged.
   */
  async attempt(): Promise<void> {
    try {
      await this.make();
    } catch (error) {
      const onlyFull = isFull(error) || isFault(error, "store.disk_full");
      if (onlyFull && !(error instanceof UnknownOutcome)) {
        this.#notBefore = performance.now() + retryMs;
        this.#deps.onFull(error);
      } else if (isFault(error, "store.archive_damaged") || isFault(error, "store.log_damaged")) {
        this.#notBefore = performance.now() + retryMs;
        this.#deps.onUnarchived(error);
      } else {
        this.#deps.onFatal(error);
      }
    }
  }

  /** A crash anywhere in here: the next start or the next checkpoint repeats what is missing. */
  make(): Promise<void> {
    return this.#deps.upkeep.run(async () => {
      const { commits, feed } = this.#deps;
      const { log, index, state } = this.#deps.booted;
      const resume = await commits.pause();
      const head = commits.head;
      const end = log.end;
      const records = state.snapshotAt(head.position);
      resume();
      try {
        // Beside an old log the state is written anew in any case: from then on groups without a seal are refused.
        if (head.position > this.#last.position || log.isOld) {
          const path = join(this.#deps.directory, stateName);
          const size = await writeState({ vfs: this.#deps.vfs, path, key: this.#deps.booted.key, head, records });
          this.#last = { position: head.position, size };
        }
      } finally {
        state.endSnapshot();
      }
      if (head.position === log.base.position && !log.isOld) return;
      await feed.catchUp();
      await index.archive(head);
      await feed.whileStill(() =>
        log.rotate(head, end, { pause: () => commits.pause(), onMoved: (to) => feed.moved(end, to) }),
      );
    });
  }
}
