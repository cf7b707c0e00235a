import { openTurns, runAll } from "@gatehouse/base";
import { fault, isFault } from "@gatehouse/contract/faults";
import { isAbsent, isFull, makeDirectoryDurably, nodeVfs, ownDirectory, type Vfs } from "@gatehouse/files";
import type { AgentPaths } from "../config.ts";
import type { StopTimer, Timers } from "../host/timers.ts";
import { artifactLimits } from "./artifact-limits.ts";
import { type ArrivingArtifact, beginArtifact } from "./arriving-artifact.ts";
import type { KeptArtifact } from "./kept-artifact.ts";
import type { MissingPart, TaskDesk, TaskPart } from "./task.ts";

/**
 * The artifacts of one change on their way in, each in a file of its own in a directory that is root's alone. Nothing that an earlier
 * process has left there is believed.
 */
export interface ArtifactInbox {
  /** Removes what an earlier process has left. Never throws. */
  sweep(): Promise<void>;
  /** From now on these are taken and no others, and no other stays; gives those that are not whole, and where each goes on. */
  expect(artifacts: readonly TaskPart[]): Promise<readonly MissingPart[]>;
  /** Whether the submitted change has named it. */
  wants(sha256: string): boolean;
  put(piece: Parameters<TaskDesk["put"]>[0]): Promise<void>;
  /** For whoever judges the change. Meanwhile nothing is taken and nothing leaves. Throws `artifact.missing`. */
  lend(artifacts: readonly TaskPart[]): Promise<readonly KeptArtifact[]>;
  /** The change has what was lent from now on, and closes it: here neither file nor name is left. */
  give(): Promise<void>;
  /** Nothing is taken any more. What is whole waits a while for a change that names it again. */
  rest(): Promise<void>;
  close(): Promise<void>;
  /** Whether something is on the disk that the end of this process would lose. */
  isHolding(): boolean;
}

export interface ArtifactInboxDeps {
  readonly paths: Pick<AgentPaths, "inbox">;
  readonly timers: Timers;
  readonly log: (line: string) => void;
  /** Another disk in tests alone. */
  readonly vfs?: Vfs | undefined;
}

export function openArtifactInbox(deps: ArtifactInboxDeps): ArtifactInbox {
  return new OpenArtifactInbox(deps);
}

class OpenArtifactInbox implements ArtifactInbox {
  readonly #deps: ArtifactInboxDeps;
  readonly #vfs: Vfs;
  readonly #turns = openTurns();
  /** What is wanted, by digest. */
  #wanted = new Map<string, number>();
  readonly #held = new Map<string, ArrivingArtifact>();
  #isLent = false;
  #stopTimer: StopTimer = () => undefined;

  constructor(deps: ArtifactInboxDeps) {
    this.#deps = deps;
    this.#vfs = deps.vfs ?? nodeVfs;
  }

  sweep(): Promise<void> {
    return this.#inTurn(async () => {
      const { inbox } = this.#deps.paths;
      try {
        const left = await this.#vfs.list(inbox);
        await runAll(left.map((name) => () => this.#vfs.remove(`${inbox}/${name}`)));
      } catch (error) {
        if (!isAbsent(error)) this.#deps.log(`what was left in ${inbox} is not all gone: ${String(error)}`);
      }
    });
  }

  expect(artifacts: readonly TaskPart[]): Promise<readonly MissingPart[]> {
    return this.#inTurn(async () => {
      const wanted = new Map(artifacts.map(({ sha256, size }) => [sha256, size]));
      this.#wanted = new Map();
      await this.#drop((each) => wanted.get(each.sha256) !== each.size || each.isOld);
      const missing = [...wanted].flatMap(([sha256, size]) => {
        const held = this.#held.get(sha256)?.held ?? 0;
        return held === size ? [] : [{ sha256, size, ...(held === 0 ? {} : { from: held }) }];
      });
      const total = [...wanted.values()].reduce((sum, size) => sum + size, 0);
      if (total > artifactLimits.allBytes) {
        throw fault("blob.quota", `expected at most ${artifactLimits.allBytes} bytes of artifacts, found ${total}`);
      }
      if (missing.length > 0) {
        await makeDirectoryDurably(this.#vfs, this.#deps.paths.inbox);
        ownDirectory(this.#deps.paths.inbox);
        await this.#needRoom(missing.reduce((sum, { size, from = 0 }) => sum + size - from, 0));
      }
      this.#wanted = wanted;
      this.#wait();
      return missing;
    });
  }

  wants(sha256: string): boolean {
    return this.#wanted.has(sha256);
  }

  put({ sha256, offset, bytes }: Parameters<TaskDesk["put"]>[0]): Promise<void> {
    return this.#inTurn(async () => {
      const size = this.#wanted.get(sha256);
      if (size === undefined) throw fault("blob.not_wanted", `expected an artifact of the change, found ${sha256}`);
      const [at, end] = [this.#held.get(sha256)?.held ?? 0, offset + bytes.byteLength];
      if (offset !== at || end > size) {
        throw fault("blob.size", `expected bytes from ${at} up to ${size}, found ${offset} up to ${end}`);
      }
      try {
        await this.#needRoom(bytes.byteLength);
        await (await this.#getArriving(sha256, size)).put(bytes);
      } catch (error) {
        await this.#drop((each) => each.sha256 === sha256);
        if (!isFull(error)) throw error;
        throw fault("blob.quota", `expected room for ${bytes.byteLength} bytes, found a full disk`, { cause: error });
      }
      this.#wait();
    });
  }

  lend(artifacts: readonly TaskPart[]): Promise<readonly KeptArtifact[]> {
    return this.#inTurn(async () => {
      this.#wanted = new Map();
      this.#stopTimer();
      const lent = artifacts.map(({ sha256, size }) => {
        const held = this.#held.get(sha256);
        if (held?.held === size && held.size === size) return held.kept;
        throw fault("artifact.missing", `expected ${sha256}, found no such artifact`);
      });
      this.#isLent = true;
      return lent;
    });
  }

  give(): Promise<void> {
    return this.#inTurn(async () => {
      this.#isLent = false;
      const given = [...this.#held.values()];
      this.#held.clear();
      await runAll(given.map((each) => () => each.giveAway()));
    });
  }

  rest(): Promise<void> {
    return this.#inTurn(async () => {
      this.#wanted = new Map();
      this.#isLent = false;
      await this.#drop((each) => each.held < each.size || each.isOld);
      this.#wait();
    });
  }

  close(): Promise<void> {
    return this.#inTurn(() => this.#clear());
  }

  isHolding(): boolean {
    return this.#held.size > 0;
  }

  async #clear(): Promise<void> {
    this.#wanted = new Map();
    this.#stopTimer();
    await this.#drop(() => true);
  }

  async #getArriving(sha256: string, size: number): Promise<ArrivingArtifact> {
    const known = this.#held.get(sha256);
    if (known !== undefined) return known;
    const path = `${this.#deps.paths.inbox}/${sha256}`;
    const onOld = () => this.#later(() => this.#drop((each) => each.isOld));
    const begun = await beginArtifact({ vfs: this.#vfs, timers: this.#deps.timers, path, onOld }, { sha256, size });
    this.#held.set(sha256, begun);
    return begun;
  }

  /** Whether so much may come, with enough of the disk left for the host itself. */
  async #needRoom(coming: number): Promise<void> {
    const { free, total } = await this.#vfs.space(this.#deps.paths.inbox);
    const least = Math.ceil(total / artifactLimits.freeShare) + coming;
    if (free < least) throw fault("blob.quota", `expected ${least} bytes free on the disk, found ${free}`);
  }

  async #drop(leaves: (each: ArrivingArtifact) => boolean): Promise<void> {
    const leaving = [...this.#held.values()].filter(leaves);
    for (const { sha256 } of leaving) this.#held.delete(sha256);
    await runAll(leaving.map((each) => () => each.remove()));
  }

  #wait(): void {
    this.#stopTimer();
    if (this.#held.size === 0 && this.#wanted.size === 0) return;
    this.#stopTimer = this.#deps.timers.after(artifactLimits.standstillMs, () => this.#later(() => this.#clear()));
  }

  /** A timer's time is over. What is being judged stays until it has been. */
  #later(work: () => Promise<void>): void {
    void this.#inTurn(async () => {
      if (!this.#isLent) await work();
    }).catch((error: unknown) => {
      const why = isFault(error) ? error.detail : String(error);
      this.#deps.log(`artifacts that were to go are not all gone: ${why}`);
    });
  }

  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.#turns(["artifacts"], work);
  }
}
