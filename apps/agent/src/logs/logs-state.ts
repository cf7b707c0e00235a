import type { FrameOf } from "@gatehouse/channel";
import type { LogAnswer } from "./log-answer.ts";
import type { LogPlaces } from "./log-checkpoint.ts";

export interface LogsState {
  /** What root lets be sent, as the ceiling was told last; undefined before it was. */
  readonly sources: readonly string[] | undefined;
  /** What root has taken from the list and the server may still have a place of: when it comes back it begins at its end. */
  readonly anew: ReadonlySet<string>;
  /** Why a log is left out, as it was said last. */
  readonly refused: ReadonlyMap<string, string>;
  /** Why the helper did not answer, as it was said last. */
  readonly untold: string;
  /** Numbers the questions to the helper: an answer to an earlier one is nobody's. */
  readonly asked: number;
  /** What was left of the budget when the last connection ended: another one brings no more. */
  readonly left: LogBudget | undefined;
  /** Undefined while no server wants logs. */
  readonly run: LogsRun | undefined;
}

/** What is sent over one connection. */
export interface LogsRun {
  readonly linesPerSecond: number;
  /** A log that had more for so long is passed over. */
  readonly behindSeconds: number;
  /** Where the server has lines on; before anything was read of a source it has no place. */
  readonly places: LogPlaces;
  /** The checkpoint that the server has. */
  readonly kept: string | null;
  /** The number of the last message. */
  readonly seq: number;
  /** Whose turn comes first: a log that is never at its end must not keep the others from being read. */
  readonly turn: number;
  readonly budget: LogBudget;
  /** Logs that have had more than was read, all the time since then, and how many lines of them were sent meanwhile. */
  readonly behind: ReadonlyMap<string, Behind>;
  /** The server has asked for a pause: nothing is sent before. */
  readonly pausedUntil: number;
  /** Times in a row that the helper did not answer. */
  readonly tries: number;
  readonly now: Now;
}

/** Lines that may be sent, as of then. */
interface LogBudget {
  readonly lines: number;
  readonly at: number;
}

export interface Behind {
  readonly since: number;
  readonly lines: number;
}

type Now =
  /** Until the timer, or until there is something to read. */
  | { readonly t: "resting" }
  | { readonly t: "asking"; readonly number: number; readonly question: LogQuestion }
  /** A message is on its way; what it says counts when it is acknowledged as kept. */
  | { readonly t: "sent"; readonly after: Pick<LogsRun, "places" | "kept" | "behind">; readonly isMore: boolean };

/** What the helper is asked. */
export interface LogQuestion {
  readonly sources: readonly string[];
  readonly cursors: readonly (string | null)[];
  readonly lines: number;
  readonly skip: boolean;
}

export type LogsEvent =
  | { readonly t: "wanted"; readonly wanted: FrameOf<"want-logs"> }
  | { readonly t: "listed"; readonly sources: readonly string[] }
  | { readonly t: "timer" }
  | { readonly t: "answered"; readonly number: number; readonly answer: LogAnswer }
  | { readonly t: "failed"; readonly number: number; readonly code: string; readonly detail: string }
  | { readonly t: "acknowledged"; readonly seq: number; readonly pauseMs: number; readonly kept: boolean }
  | { readonly t: "ended" };

export type LogsEffect =
  /** Answered by `answered` or by `failed`. */
  | { readonly t: "ask"; readonly number: number; readonly question: LogQuestion }
  | { readonly t: "send"; readonly seq: number; readonly text: string }
  /** In place of the one that runs. */
  | { readonly t: "timer"; readonly ms: number }
  | { readonly t: "no-timer" }
  | { readonly t: "log"; readonly line: string };

/** What a step may use besides the state. */
export interface LogsAround {
  readonly now: () => number;
  readonly monotonic: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Whether the connection has enough to send: beats and ends of changes come first. */
  readonly isCrowded: () => boolean;
}

export type LogsStep = readonly [LogsState, readonly LogsEffect[]];
