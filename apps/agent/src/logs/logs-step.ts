import { channelLimits, writeControlFrame } from "@gatehouse/channel";
import { pauseForHelper } from "../control/retry.ts";
import { type LogPlaces, readLogCheckpoint } from "./log-checkpoint.ts";
import { askNext, budgetAt, pauseRun, quietMs, rest } from "./log-budget.ts";
import type { LogsAround, LogsEffect, LogsEvent, LogsRun, LogsState, LogsStep } from "./logs-state.ts";
import { sayRefused } from "./say-refused.ts";
import { takeLogs } from "./take-logs.ts";

export const firstLogsState: LogsState = {
  sources: undefined,
  anew: new Set(),
  refused: new Map(),
  untold: "",
  asked: 0,
  left: undefined,
  run: undefined,
};

/** The least pause before lines come again that the server did not keep. */
const leastPauseMs = 1_000;

type EventOf<Name extends LogsEvent["t"]> = Extract<LogsEvent, { t: Name }>;
type Act<Name extends LogsEvent["t"]> = (around: LogsAround, state: LogsState, event: EventOf<Name>) => LogsStep;

/** The next state of what sends logs, and what is to be done. What comes at a time when nobody waits for it changes nothing. */
export function logsStep(around: LogsAround, state: LogsState, event: LogsEvent): LogsStep {
  const act = acts[event.t] as Act<LogsEvent["t"]>;
  return act(around, state, event);
}

const acts: { readonly [Name in LogsEvent["t"]]: Act<Name> } = {
  wanted: (around, state, { wanted: { checkpoint, linesPerSecond, behindSeconds } }) => {
    // Once on a connection: each wish begins anew, and a server that says it without end would have root read without end.
    if (state.run !== undefined) return [state, []];
    const run: LogsRun = {
      linesPerSecond,
      behindSeconds,
      places: placesIn(checkpoint, state),
      kept: checkpoint,
      seq: 0,
      turn: 0,
      budget: budgetAt(around.monotonic(), { budget: state.left, linesPerSecond }),
      behind: new Map(),
      pausedUntil: around.monotonic(),
      tries: 0,
      now: { t: "resting" },
    };
    return askNext(around, state, run);
  },
  listed: (around, state, { sources }) => {
    if (sources.join("\n") === state.sources?.join("\n")) return [state, []];
    const still = <Value>(all: ReadonlyMap<string, Value>) =>
      new Map([...all].filter(([source]) => sources.includes(source)));
    const taken = (state.sources ?? []).filter((source) => !sources.includes(source));
    const next = { ...state, sources, anew: new Set([...state.anew, ...taken]), refused: still(state.refused) };
    if (state.run === undefined) return [next, []];
    const isFirst = state.sources === undefined;
    const places = isFirst ? placesIn(state.run.kept, next) : still(state.run.places);
    const run = { ...state.run, places, behind: still(state.run.behind) };
    // An answer that is under way may have lines of a log that root has taken from the list: it is not waited for.
    if (run.now.t !== "sent") return askNext(around, next, run);
    // And what a message under way says of it is not where it goes on when it comes back.
    const after = { ...run.now.after, places: still(run.now.after.places), behind: still(run.now.after.behind) };
    return [{ ...next, run: { ...run, now: { ...run.now, after } } }, []];
  },
  timer: (around, state) => {
    const { run } = state;
    return run?.now.t === "resting" ? askNext(around, state, run) : [state, []];
  },
  answered: (around, state, { number, answer }) => {
    const { run } = state;
    if (run?.now.t !== "asking" || run.now.number !== number) return [state, []];
    const { question } = run.now;
    const [refused, lines] = sayRefused(state.refused, question.sources, answer.refused);
    const said: LogsEffect[] = lines.map((line) => ({ t: "log", line }));
    const known = { ...state, refused, untold: "" };
    // Read again when there is room: nothing of it is held meanwhile.
    if (around.isCrowded()) return besides(said, rest(known, { ...run, tries: 0 }, quietMs));
    const taken = takeLogs(around, { ...run, tries: 0 }, { sources: state.sources ?? [], question, answer });
    if (taken.frame === undefined) {
      return besides(said, taken.isMore ? askNext(around, known, taken.run) : rest(known, taken.run, quietMs));
    }
    const text = writeControlFrame(taken.frame);
    const bytes = Buffer.byteLength(text);
    if (bytes > channelLimits.frameBytes) {
      return failed(around, known, run, `the helper has answered ${bytes} bytes, more than a message has`);
    }
    return [{ ...known, run: taken.run }, [...said, { t: "send", seq: taken.frame.seq, text }]];
  },
  failed: (around, state, { number, code, detail }) => {
    const { run } = state;
    if (run?.now.t !== "asking" || run.now.number !== number) return [state, []];
    return failed(around, state, run, `${code}: ${detail}`);
  },
  acknowledged: (around, state, { seq, pauseMs, kept }) => {
    const { run } = state;
    if (run?.now.t !== "sent" || run.seq !== seq) return [state, []];
    const { after, isMore } = run.now;
    if (!kept) {
      const ms = Math.max(pauseMs, leastPauseMs);
      return rest(state, pauseRun(around, run, ms), ms);
    }
    const next = { ...run, ...after };
    const known = { ...state, anew: new Set([...state.anew].filter((source) => !after.places.has(source))) };
    if (pauseMs > 0) return rest(known, pauseRun(around, next, pauseMs), Math.max(pauseMs, isMore ? 0 : quietMs));
    return isMore ? askNext(around, known, next) : rest(known, next, quietMs);
  },
  ended: (_, state) => [{ ...state, left: state.run?.budget ?? state.left, run: undefined }, [{ t: "no-timer" }]],
};

function placesIn(checkpoint: string | null, { sources = [], anew }: Pick<LogsState, "sources" | "anew">): LogPlaces {
  const placeOf = readLogCheckpoint(checkpoint);
  return new Map(
    sources.flatMap((source) => {
      const place = anew.has(source) ? undefined : placeOf(source);
      return place === undefined ? [] : [[source, place] as const];
    }),
  );
}

/** Said once, until it is another reason or the helper has answered. */
function failed(around: LogsAround, state: LogsState, run: LogsRun, why: string): LogsStep {
  const tries = run.tries + 1;
  const said: LogsEffect[] = why === state.untold ? [] : [{ t: "log", line: `no logs are sent for now: ${why}` }];
  return besides(said, rest({ ...state, untold: why }, { ...run, tries }, pauseForHelper(tries, around.random())));
}

function besides(effects: readonly LogsEffect[], [state, more]: LogsStep): LogsStep {
  return [state, [...effects, ...more]];
}
