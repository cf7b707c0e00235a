import { writeControlFrame } from "@gatehouse/channel";
import { writeLogCheckpoint } from "./log-checkpoint.ts";
import type { LogsAround, LogsRun, LogsState, LogsStep } from "./logs-state.ts";

const nowhere = writeLogCheckpoint([], new Map());

/** Whether the server has places though root lets nothing be sent. Before root's list is known nothing is forgotten. */
export function isForgettingDue({ sources }: LogsState, { kept }: LogsRun): boolean {
  return sources?.length === 0 && kept !== null && kept !== nowhere;
}

/** Tells the server that no log is followed: after a restart a log that comes back would be gone on with where it was. */
export function forgetLogs(around: LogsAround, state: LogsState, run: LogsRun): LogsStep {
  const seq = run.seq + 1;
  const after = { places: new Map(), kept: nowhere, behind: new Map() };
  const text = writeControlFrame({
    t: "logs",
    seq,
    at: around.now(),
    sources: [],
    lines: [],
    dropped: [],
    checkpoint: nowhere,
  });
  const next = { ...state, run: { ...run, seq, now: { t: "sent", after, isMore: false } } } satisfies LogsState;
  return [next, [{ t: "no-timer" }, { t: "send", seq, text }]];
}
