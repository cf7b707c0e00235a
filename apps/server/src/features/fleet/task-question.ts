import { channelLimits, type ControlFrame, type FrameOf, longestCarryMs, writePiece } from "@gatehouse/channel";
import { fault, type FaultCode, faults } from "@gatehouse/contract";
import { fleetLimits } from "./limits.ts";
import { OpenedParts, type OfferedParts, sizeOfPart } from "./offered-parts.ts";
import { shown } from "./shown.ts";

/** A change as it is announced to a host: its parts by their digests. */
export type OfferedTask = Omit<FrameOf<"task">, "t">;

/** What a host says to a task: why not, with a code of the fault table and its own words, or that it has begun. Then its end comes later. */
export type TaskWord =
  | { readonly kind: "refused"; readonly code: FaultCode; readonly detail: string }
  | { readonly kind: "taken" };

export interface TaskQuestionDeps {
  readonly send: (data: ControlFrame | Uint8Array) => void;
  /** Bytes that were sent and that the host has not taken yet. */
  readonly queued: () => number;
  readonly after: (ms: number, act: () => void) => () => void;
  /** A part could not be read from where it is kept. */
  readonly onUnread: (error: unknown) => void;
}

interface Offered {
  readonly task: string;
  readonly parts: OpenedParts;
  readonly word: PromiseWithResolvers<TaskWord>;
  /** Of its silence, and of all of it. */
  stopSilence: () => void;
  readonly stopWhole: () => void;
}

/**
 * Offers a host its tasks, one at a time, and hands out the parts that it asks for: those of the task under way and nothing else,
 * so that whoever has one host's key cannot read what is meant for another.
 */
export class TaskQuestion {
  readonly #deps: TaskQuestionDeps;
  #offered: Offered | undefined;
  /** Tasks of this connection that were answered or given up; a late word about one of them is no fault of the host. */
  #past: readonly string[] = [];
  /** Pulls that wait until the host has taken what was sent before. */
  #pulls: FrameOf<"pull">[] = [];
  /** A piece is being read from where its part is kept. */
  #isReading = false;
  #hasEnded = false;
  #stopLook: (() => void) | undefined;

  constructor(deps: TaskQuestionDeps) {
    this.#deps = deps;
  }

  /** Resolves with the host's word. Rejects with `plan.node_refused` when there was none: the connection ended, or it took too long. */
  offer(task: OfferedTask, parts: OfferedParts): Promise<TaskWord> {
    if (this.#offered !== undefined) throw fault("plan.node_refused", "the host is busy with another task");
    const word = Promise.withResolvers<TaskWord>();
    const opened = new OpenedParts(parts);
    const wholeMs = transferMs(opened.size);
    const stopWhole = this.#deps.after(wholeMs, () =>
      this.#giveUp(`it did not fetch the parts within ${Math.round(wholeMs / 1_000)} seconds`),
    );
    this.#offered = { task: task.task, parts: opened, word, stopSilence: this.#awaitWord(), stopWhole };
    this.#deps.send({ t: "task", ...task });
    return word.promise;
  }

  takePull(asked: FrameOf<"pull">): void {
    if (this.#pulls.length + Number(this.#isReading) >= fleetLimits.openPulls) {
      throw fault("frame.rate", `more than ${fleetLimits.openPulls} pulls at once`);
    }
    this.#pulls.push(asked);
    if (this.#offered?.parts.find(asked.sha256) !== undefined) {
      this.#offered.stopSilence();
      this.#offered.stopSilence = this.#awaitWord();
    }
    this.#servePulls();
  }

  takeWord(sent: FrameOf<"task-refused" | "task-taken">): void {
    if (this.#offered?.task !== sent.task) {
      if (this.#past.includes(sent.task)) return;
      throw fault("frame.unknown", `${sent.t} is about a task that was not sent`);
    }
    this.#close()?.word.resolve(sent.t === "task-taken" ? { kind: "taken" } : refusalOf(sent));
  }

  /** The connection is gone. */
  end(): void {
    this.#hasEnded = true;
    this.#pulls = [];
    this.#stopLook?.();
    this.#giveUp("its connection ended before it had answered");
  }

  /** One piece at a time is on its way, whatever the host asks for: a host that reads slowly holds little memory here. */
  #servePulls(): void {
    this.#stopLook?.();
    this.#stopLook = undefined;
    while (this.#pulls.length > 0 && !this.#isReading) {
      if (this.#deps.queued() >= channelLimits.pullBytes) {
        this.#stopLook = this.#deps.after(fleetLimits.pullPauseMs, () => this.#servePulls());
        return;
      }
      this.#answer(this.#pulls.shift() as FrameOf<"pull">);
    }
  }

  #answer(asked: FrameOf<"pull">): void {
    const { request, sha256, offset, length } = asked;
    const parts = this.#offered?.parts;
    const part = parts?.find(sha256);
    if (parts === undefined || part === undefined) return this.#refusePull(request, "blob.not_wanted");
    if (offset + length > sizeOfPart(part)) return this.#refusePull(request, "blob.size");
    if (part instanceof Uint8Array) {
      return this.#deps.send(writePiece({ request, offset, bytes: part.subarray(offset, offset + length) }));
    }
    this.#isReading = true;
    void parts
      .read(part, offset, length)
      .then(
        (bytes) => this.#sendRead(parts, asked, bytes),
        (error: unknown) => this.#tellUnread(parts, asked, error),
      )
      .finally(() => {
        this.#isReading = false;
        this.#servePulls();
      });
  }

  /** A task that ended while its part was read gets none of it, as if it had been asked for now. */
  #sendRead(parts: OpenedParts, { request, offset }: FrameOf<"pull">, bytes: Uint8Array): void {
    if (this.#hasEnded) return;
    if (this.#offered?.parts !== parts) this.#refusePull(request, "blob.not_wanted");
    else this.#deps.send(writePiece({ request, offset, bytes }));
  }

  /** The host refuses a change whose part does not come, and its approval is not spent. */
  #tellUnread(parts: OpenedParts, { request }: FrameOf<"pull">, error: unknown): void {
    if (this.#hasEnded) return;
    const isWanted = this.#offered?.parts === parts;
    if (isWanted) this.#deps.onUnread(error);
    this.#refusePull(request, isWanted ? "artifact.missing" : "blob.not_wanted");
  }

  #refusePull(request: number, reason: FaultCode): void {
    this.#deps.send({ t: "pull-end", request, reason });
  }

  #awaitWord(): () => void {
    return this.#deps.after(fleetLimits.taskAnswerMs, () =>
      this.#giveUp(`it did not answer within ${fleetLimits.taskAnswerMs / 1_000} seconds`),
    );
  }

  #giveUp(why: string): void {
    this.#close()?.word.reject(fault("plan.node_refused", why));
  }

  #close(): Offered | undefined {
    const offered = this.#offered;
    this.#offered = undefined;
    if (offered === undefined) return undefined;
    offered.stopSilence();
    offered.stopWhole();
    offered.parts.close();
    this.#past = [...this.#past.filter((task) => task !== offered.task), offered.task].slice(-fleetLimits.pastTasks);
    return offered;
  }
}

/** How long a host has for all of a task: as long as it gives itself to fetch the parts, and to answer. */
export function transferMs(bytes: number): number {
  return fleetLimits.taskAnswerMs + longestCarryMs(bytes);
}

/** A code that this version has no name for is told as it came, under one that says that the two versions do not match. */
function refusalOf({ code, detail }: FrameOf<"task-refused">): TaskWord {
  if (Object.hasOwn(faults, code)) return { kind: "refused", code: code as FaultCode, detail: shown(detail) };
  return { kind: "refused", code: "task.malformed", detail: `the host answered ${shown(code)}: ${shown(detail)}` };
}
