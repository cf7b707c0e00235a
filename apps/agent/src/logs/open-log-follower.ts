import type { Clock } from "@gatehouse/base";
import type { FrameOf } from "@gatehouse/channel";
import { reasonOf } from "../control/reason-of.ts";
import type { StopTimer, Timers } from "../host/timers.ts";
import type { AskHelper } from "../local/ask-helper.ts";
import { type LogAnswer, parseLogAnswer } from "./log-answer.ts";
import type { LogsEffect, LogsEvent, LogsState } from "./logs-state.ts";
import { firstLogsState, logsStep } from "./logs-step.ts";

/** Sends lines of logs while a server wants them. */
export interface LogFollower {
  want(frame: FrameOf<"want-logs">): void;
  acknowledged(frame: FrameOf<"logs-ack">): void;
  /** What root lets be sent now. */
  listed(sources: readonly string[]): void;
  /** The connection is gone, and with it who wanted them. */
  end(): void;
}

export interface LogFollowerDeps {
  readonly ask: AskHelper;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: () => number;
  readonly isCrowded: () => boolean;
  /** Never called while one of the methods above runs. */
  readonly send: (message: { readonly seq: number; readonly text: string }) => void;
  readonly log: (line: string) => void;
}

type LogAsk = Extract<LogsEffect, { t: "ask" }>;

/** What happens next is decided by `logsStep`; here it is done. At most one question and one message are under way. */
export function openLogFollower(deps: LogFollowerDeps): LogFollower {
  let state: LogsState = firstLogsState;
  let stopTimer: StopTimer = () => undefined;
  const around = {
    now: () => deps.clock.now(),
    monotonic: () => deps.clock.monotonic(),
    random: deps.random,
    isCrowded: deps.isCrowded,
  };
  const take = (event: LogsEvent): void => {
    const [next, effects] = logsStep(around, state, event);
    state = next;
    for (const effect of effects) act(effect);
  };
  const askOnce = async ({ number, question }: LogAsk): Promise<void> => {
    const { sources, cursors, lines, skip } = question;
    const asked = sources.map((source, n) => ({ source, cursor: cursors[n] ?? null }));
    let answer: LogAnswer;
    try {
      answer = parseLogAnswer(await deps.ask("log.read", { sources: asked, lines, skip }), sources.length);
    } catch (error) {
      return take({ t: "failed", number, ...reasonOf(error) });
    }
    take({ t: "answered", number, answer });
  };
  let isAsking = false;
  let next: LogAsk | undefined;
  /** The helper reads one at a time: while it does, only the newest question waits. */
  const ask = async (asked: LogAsk): Promise<void> => {
    next = asked;
    if (isAsking) return;
    isAsking = true;
    for (let each: LogAsk | undefined = asked; each !== undefined; each = next) {
      next = undefined;
      await askOnce(each);
    }
    isAsking = false;
  };
  const act = (effect: LogsEffect): void => {
    switch (effect.t) {
      case "ask":
        return void ask(effect);
      case "send":
        return deps.send({ seq: effect.seq, text: effect.text });
      case "timer":
        stopTimer();
        stopTimer = deps.timers.after(effect.ms, () => take({ t: "timer" }));
        return undefined;
      case "no-timer":
        return stopTimer();
      case "log":
        return deps.log(effect.line);
    }
  };
  return {
    want: (wanted) => take({ t: "wanted", wanted }),
    acknowledged: ({ seq, pauseMs, kept }) => take({ t: "acknowledged", seq, pauseMs, kept }),
    listed: (sources) => take({ t: "listed", sources }),
    end: () => take({ t: "ended" }),
  };
}
