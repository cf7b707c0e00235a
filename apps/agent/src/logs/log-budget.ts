import { hostLogLimits } from "@gatehouse/contract";
import { forgetLogs, isForgettingDue } from "./forget-logs.ts";
import type { Behind, LogQuestion, LogsAround, LogsRun, LogsState, LogsStep } from "./logs-state.ts";

/** So often logs are looked at in which nothing was new. */
export const quietMs = 2_000;
/** So many seconds of the budget may be sent at once. */
const burstSeconds = 2;

/** Asks the helper for lines, or to go to the end where a log is too far behind; or waits until there may be more. */
export function askNext(around: LogsAround, state: LogsState, before: LogsRun): LogsStep {
  const { sources = [] } = state;
  const isForgetting = isForgettingDue(state, before);
  // Nothing is asked of the helper where root lets nothing be sent: it may end.
  if (sources.length === 0 && !isForgetting) {
    return [{ ...state, run: { ...before, now: { t: "resting" } } }, [{ t: "no-timer" }]];
  }
  const pause = before.pausedUntil - around.monotonic();
  if (pause > 0) return rest(state, before, Math.ceil(pause));
  if (around.isCrowded()) return rest(state, before, quietMs);
  if (isForgetting) return forgetLogs(around, state, before);
  const run = { ...before, budget: budgetAt(around.monotonic(), before) };
  const { linesPerSecond, turn } = run;
  const far = sources.filter((source) => isTooFar(around.monotonic(), run, run.behind.get(source)));
  if (far.length > 0) return askFor(state, run, { sources: far, lines: 1, skip: true });
  // As much as a message has, or a second: for less than that nobody is asked.
  const least = Math.min(hostLogLimits.sentLines, linesPerSecond);
  if (run.budget.lines < least) {
    return rest(state, run, Math.ceil(((least - run.budget.lines) / linesPerSecond) * 1_000));
  }
  const first = turn % sources.length;
  const inTurn = [...sources.slice(first), ...sources.slice(0, first)];
  const lines = Math.min(hostLogLimits.sentLines, Math.floor(run.budget.lines));
  return askFor(state, { ...run, turn: first + 1 }, { sources: inTurn, lines, skip: false });
}

function askFor(state: LogsState, run: LogsRun, asked: Omit<LogQuestion, "cursors">): LogsStep {
  const number = state.asked + 1;
  const question = { ...asked, cursors: asked.sources.map((source) => run.places.get(source) ?? null) };
  const next: LogsState = { ...state, asked: number, run: { ...run, now: { t: "asking", number, question } } };
  return [next, [{ t: "no-timer" }, { t: "ask", number, question }]];
}

export function rest(state: LogsState, run: LogsRun, ms: number): LogsStep {
  return [{ ...state, run: { ...run, now: { t: "resting" } } }, [{ t: "timer", ms }]];
}

/** While the server has asked for a pause nothing may be sent: that time counts for nobody's being behind. */
export function pauseRun(around: LogsAround, run: LogsRun, ms: number): LogsRun {
  const shifted = [...run.behind].map(([source, { since, lines }]) => [source, { since: since + ms, lines }] as const);
  return { ...run, behind: new Map(shifted), pausedUntil: around.monotonic() + ms };
}

/** All that may be sent at once, where nothing was sent before. */
export function budgetAt(
  now: number,
  { budget, linesPerSecond }: Pick<LogsRun, "linesPerSecond"> & { readonly budget: LogsRun["budget"] | undefined },
): LogsRun["budget"] {
  const most = burstSeconds * linesPerSecond;
  if (budget === undefined) return { lines: most, at: now };
  const more = (Math.max(0, now - budget.at) / 1_000) * linesPerSecond;
  return { lines: Math.min(most, budget.lines + more), at: now };
}

function isTooFar(now: number, { linesPerSecond, behindSeconds }: LogsRun, behind: Behind | undefined): boolean {
  if (behind === undefined) return false;
  return now - behind.since > behindSeconds * 1_000 || behind.lines > behindSeconds * linesPerSecond;
}
