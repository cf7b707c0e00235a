import {
  channelLimits,
  controlFrames,
  encodeBase64url,
  type FrameOf,
  longestCarryMs,
  outcomeBody,
  writeControlFrame,
} from "@gatehouse/channel";
import type { Clock } from "@gatehouse/base";
import { fault, isFault } from "@gatehouse/contract/faults";
import * as z from "zod";
import type { StopTimer, Timers } from "../host/timers.ts";
import type { AskHelper } from "../local/ask-helper.ts";
import { refusalOf } from "./asked-answers.ts";
import type { PullAnswer, WantedPiece } from "./control-state.ts";

/** Carries changes from the server to the helper, one after the other and piece by piece, so that no more than a piece is held here. */
export interface TaskCarrier {
  /** Gives the frame that tells the server how it ended. */
  carry(frame: FrameOf<"task">): Promise<readonly string[]>;
  /** What the server has answered to the last pull. */
  answered(answer: PullAnswer): void;
  /** The connection is gone, and with it whoever would send the rest or hear the end. */
  forget(): void;
}

export interface TaskCarrierDeps {
  readonly ask: AskHelper;
  readonly clock: Pick<Clock, "monotonic">;
  readonly timers: Timers;
  /** Asks the server for a piece; it is answered through `answered`, unless the connection ends. */
  readonly pull: (piece: WantedPiece) => void;
  /** Called when the helper has begun a change, or may have. */
  readonly begun: () => void;
  /** Called with the signed outcome of a change that had ended: the server may have lost it. */
  readonly ended: (signed: string) => void;
}

/** What bounds the bringing of a change: a server that is silent, or slow on purpose, holds none open for longer. */
export const carryLimits = {
  /** Since a piece was asked for. One that comes within it keeps a transfer alive. */
  pieceMs: 60_000,
  /** For all small parts together, with everything between. */
  smallMs: channelLimits.carriedMs,
  /** Beside what is told at the same time, so that no server counts too many messages. */
  pullsPerSecond: Math.floor(channelLimits.framesPerSecond * 0.45),
} as const;

/** How long all parts of a change may take. */
export function carryMs(artifacts: readonly { readonly size: number }[]): number {
  return longestCarryMs(artifacts.reduce((sum, { size }) => sum + size, 0));
}

const second = 1_000;

/** A helper that has ended between two pieces has forgotten them all: then they are brought once more, and not a third time. */
const mostRounds = 2;

const part = controlFrames.task.fields.shape.parts.shape.header.extend({ size: z.int().min(1) });
/** `from`: so much of it is there already. */
const missingPart = part.extend({ from: z.int().min(1).exactOptional() }).refine(({ size, from = 0 }) => from < size);
const submittedForm = z.union([
  z.strictObject({ missing: z.array(missingPart).min(1) }),
  z.strictObject({ taken: z.literal(true), outcome: outcomeBody.shape.signed.exactOptional() }),
]);
type Submitted = z.output<typeof submittedForm>;
type MissingPart = z.output<typeof missingPart>;

/** Whether the helper has looked for the change in its journal, and then judged it: what it says before that says nothing of either. */
function isVerdict(error: unknown): boolean {
  if (!isFault(error) || error.code === "ceiling.off") return false;
  return !error.code.startsWith("local.") && !error.code.startsWith("journal.");
}

export function openTaskCarrier(deps: TaskCarrierDeps): TaskCarrier {
  let current: Carrying | undefined;
  let before: Promise<unknown> = Promise.resolve();
  return {
    carry: (frame) => {
      const carrying = new Carrying(deps, frame);
      current = carrying;
      // One that was forgotten may still be asking the helper.
      const ended = before.then(() => carrying.run());
      before = ended;
      return ended;
    },
    answered: (answer) => current?.answered(answer),
    forget: () => current?.end(fault("artifact.missing", "the connection has ended before all parts were here")),
  };
}

/** One change on its way. */
class Carrying {
  readonly #deps: TaskCarrierDeps;
  readonly #frame: FrameOf<"task">;
  #waiting: PromiseWithResolvers<Uint8Array> | undefined;
  /** Why nothing more is brought. */
  #over: Error | undefined;
  #stopTimer: StopTimer = () => undefined;
  #second: { readonly from: number; pulls: number };

  constructor(deps: TaskCarrierDeps, frame: FrameOf<"task">) {
    this.#deps = deps;
    this.#frame = frame;
    this.#second = { from: deps.clock.monotonic(), pulls: 0 };
  }

  async run(): Promise<readonly string[]> {
    const { task } = this.#frame;
    try {
      if (this.#over === undefined) this.#startTimer();
      return await this.#bringAll();
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal.code === "local.unavailable") this.#deps.begun();
      return [writeControlFrame({ t: "task-refused", task, ...refusal })];
    } finally {
      this.#stopTimer();
    }
  }

  answered(answer: PullAnswer): void {
    if ("bytes" in answer) this.#waiting?.resolve(answer.bytes);
    else this.#waiting?.reject(fault("artifact.missing", `the server has ended a pull: ${answer.ended}`));
  }

  end(why: Error): void {
    this.#over ??= why;
    this.#stopTimer();
    this.#waiting?.reject(why);
  }

  #startTimer(): void {
    const ms = carryMs(this.#frame.parts.artifacts);
    const late = fault("artifact.missing", `expected all parts within ${ms / 1_000} seconds`);
    this.#stopTimer = this.#deps.timers.after(ms, () => this.end(late));
  }

  async #bringAll(): Promise<readonly string[]> {
    let answer = await this.#submit();
    for (let round = 0; round < mostRounds && "missing" in answer; round += 1) {
      await this.#bring(answer.missing);
      answer = await this.#submitWhole();
    }
    if ("missing" in answer) {
      const misses = `misses ${answer.missing.length} parts`;
      throw fault("artifact.missing", `the helper was brought everything twice, and ${misses}`);
    }
    if (answer.outcome !== undefined) this.#deps.ended(answer.outcome);
    this.#deps.begun();
    return [writeControlFrame({ t: "task-taken", task: this.#frame.task })];
  }

  /**
   * A helper that has all parts may have begun, and have ended before it could say so. To ask it once more begins nothing twice, so that
   * it is done whatever became of the connection; when that brings no verdict either, nobody may take it for a refusal.
   */
  async #submitWhole(): Promise<Submitted> {
    this.#goOn();
    try {
      return await this.#ask();
    } catch (error) {
      if (!isFault(error, "local.unavailable")) throw error;
    }
    try {
      return await this.#ask();
    } catch (error) {
      if (isVerdict(error)) throw error;
      throw fault("local.unavailable", `it may have begun: ${refusalOf(error).detail}`);
    }
  }

  #submit(): Promise<Submitted> {
    this.#goOn();
    return this.#ask();
  }

  async #ask(): Promise<Submitted> {
    const { task, planDigest, index, parts } = this.#frame;
    const { data } = submittedForm.safeParse(await this.#deps.ask("task.submit", { task, planDigest, index, parts }));
    if (data === undefined)
      throw fault("local.unavailable", "the helper's answer says neither what it misses nor more");
    return data;
  }

  async #bring(missing: readonly MissingPart[]): Promise<void> {
    try {
      for (const part of missing) await this.#bringPart(part);
    } catch (error) {
      // Another helper than the one that named it: that one is asked what it misses.
      if (!isFault(error, "blob.not_wanted")) throw error;
    }
  }

  async #bringPart({ sha256, size, from = 0 }: MissingPart): Promise<void> {
    for (let offset = from; offset < size; offset += channelLimits.pullBytes) {
      const length = Math.min(channelLimits.pullBytes, size - offset);
      const bytes = await this.#pull({ sha256, offset, length });
      this.#goOn();
      await this.#deps.ask("blob.put", { sha256, offset, bytes: encodeBase64url(bytes) });
    }
  }

  async #pull(piece: WantedPiece): Promise<Uint8Array> {
    await this.#takePlace();
    this.#goOn();
    const waiting = Promise.withResolvers<Uint8Array>();
    this.#waiting = waiting;
    const late = fault("artifact.missing", `expected a piece within ${carryLimits.pieceMs / 1_000} seconds`);
    const stop = this.#deps.timers.after(carryLimits.pieceMs, () => waiting.reject(late));
    try {
      this.#deps.pull(piece);
      return await waiting.promise;
    } finally {
      stop();
      this.#waiting = undefined;
    }
  }

  /** Waits where a fast server would be asked more often in a second than it counts. */
  async #takePlace(): Promise<void> {
    const { clock, timers } = this.#deps;
    const passed = clock.monotonic() - this.#second.from;
    const isFull = this.#second.pulls >= carryLimits.pullsPerSecond;
    if (passed < second && isFull) await new Promise<void>((done) => timers.after(second - passed, done));
    if (passed >= second || isFull) this.#second = { from: clock.monotonic(), pulls: 0 };
    this.#second.pulls += 1;
  }

  #goOn(): void {
    if (this.#over !== undefined) throw this.#over;
  }
}
