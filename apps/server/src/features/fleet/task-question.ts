import { channelLimits, type ControlFrame, type FrameOf, writePiece } from "@gatehouse/channel";
import { fault, type FaultCode, faults } from "@gatehouse/contract";
import { fleetLimits } from "./limits.ts";
import { shown } from "./shown.ts";

/** A change as it is announced to a host: its parts by their digests. */
export type OfferedTask = Omit<FrameOf<"task">, "t">;

/** The bytes of its parts, by the SHA-256 of each in hexadecimal. */
export type OfferedParts = ReadonlyMap<string, Uint8Array>;

/** What a host says to a task: why not, with a code of the fault table and its own words, or that it has begun. Then its end comes later. */
export type TaskWord =
  | { readonly kind: "refused"; readonly code: FaultCode; readonly detail: string }
  | { readonly kind: "taken" };

export interface TaskQuestionDeps {
  readonly send: (data: ControlFrame | Uint8Array) => void;
  /** Bytes that were sent and that the host has not taken yet. */
  readonly queued: () => number;
  readonly after: (ms: number, act: () => void) => () => void;
}

interface Offered {
  readonly task: string;
  readonly parts: OfferedParts;
  readonly word: PromiseWithResolvers<TaskWord>;
  readonly stopTimer: () => void;
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
  #stopLook: (() => void) | undefined;

  constructor(deps: TaskQuestionDeps) {
    this.#deps = deps;
  }

  /** Resolves with the host's word. Rejects with `plan.node_refused` when there was none: the connection ended, or it took too long. */
  offer(task: OfferedTask, parts: OfferedParts): Promise<TaskWord> {
    if (this.#offered !== undefined) throw fault("plan.node_refused", "the host is busy with another task");
    const word = Promise.withResolvers<TaskWord>();
    const stopTimer = this.#deps.after(fleetLimits.taskAnswerMs, () =>
      this.#giveUp(`it did not answer within ${fleetLimits.taskAnswerMs / 1_000} seconds`),
    );
    this.#offered = { task: task.task, parts, word, stopTimer };
    this.#deps.send({ t: "task", ...task });
    return word.promise;
  }

  takePull(asked: FrameOf<"pull">): void {
    if (this.#pulls.length >= fleetLimits.openPulls) {
      throw fault("frame.rate", `more than ${fleetLimits.openPulls} pulls at once`);
    }
    this.#pulls.push(asked);
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
    this.#pulls = [];
    this.#stopLook?.();
    this.#giveUp("its connection ended before it had answered");
  }

  /** One piece at a time is on its way, whatever the host asks for: a host that reads slowly holds little memory here. */
  #servePulls(): void {
    this.#stopLook?.();
    this.#stopLook = undefined;
    while (this.#pulls.length > 0) {
      if (this.#deps.queued() >= channelLimits.pullBytes) {
        this.#stopLook = this.#deps.after(fleetLimits.pullPauseMs, () => this.#servePulls());
        return;
      }
      this.#answer(this.#pulls.shift() as FrameOf<"pull">);
    }
  }

  #answer({ request, sha256, offset, length }: FrameOf<"pull">): void {
    const part = this.#offered?.parts.get(sha256);
    if (part === undefined) return this.#deps.send({ t: "pull-end", request, reason: "blob.not_wanted" });
    if (offset + length > part.byteLength) return this.#deps.send({ t: "pull-end", request, reason: "blob.size" });
    this.#deps.send(writePiece({ request, offset, bytes: part.subarray(offset, offset + length) }));
  }

  #giveUp(why: string): void {
    this.#close()?.word.reject(fault("plan.node_refused", why));
  }

  #close(): Offered | undefined {
    const offered = this.#offered;
    this.#offered = undefined;
    if (offered === undefined) return undefined;
    offered.stopTimer();
    this.#past = [...this.#past.filter((task) => task !== offered.task), offered.task].slice(-fleetLimits.pastTasks);
    return offered;
  }
}

/** A code that this version has no name for is told as it came, under one that says that the two versions do not match. */
function refusalOf({ code, detail }: FrameOf<"task-refused">): TaskWord {
  if (Object.hasOwn(faults, code)) return { kind: "refused", code: code as FaultCode, detail: shown(detail) };
  return { kind: "refused", code: "task.malformed", detail: `the host answered ${shown(code)}: ${shown(detail)}` };
}
