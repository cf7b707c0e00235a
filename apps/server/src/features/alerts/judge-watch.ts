import { type AlertKind, alertLimits, type AlertWatch, metricNames, type MetricValues } from "@gatehouse/contract";
import type { NodeState } from "@gatehouse/contract/routes";

/** What is known of one node at one look. */
export interface Sight {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly state: NodeState;
  /** Since when it is in this state; undefined where nobody saw it begin. */
  readonly since: number | undefined;
  /** Minutes that came since the look before, the oldest first. */
  readonly minutes: readonly { readonly at: number; readonly values: MetricValues }[];
  /** How long ago it connected anew, each time. */
  readonly comebacks: readonly number[];
}

export interface Look {
  readonly now: number;
  /** How long somebody has been looking: what was before is not known. */
  readonly watchedMs: number;
}

/** What a rule remembers of a node from one look to the next. Lost with the process: then it counts anew. */
export interface WatchRun {
  /** Minutes in a row beyond the threshold, and from when. */
  readonly held: number;
  readonly since: number;
  /** Minutes in a row that speak for recovery. */
  readonly clear: number;
  readonly lastAt: number;
  /** The newest one. */
  readonly value: number | null;
}

export interface WatchVerdict {
  /** Undefined where there is nothing to remember. */
  readonly run: WatchRun | undefined;
  /** There if an alert is to open that is not open. */
  readonly crossed: { readonly since: number; readonly value: number | null } | undefined;
  /** Whether one that is open is over. */
  readonly isOver: boolean;
}

/** One rule and one node: pure, so that every case stands in a table of tests. */
export function judgeWatch(watch: AlertWatch, run: WatchRun | undefined, sight: Sight, look: Look): WatchVerdict {
  const judge = judges[watch.kind] as Judge<AlertWatch>;
  return judge(watch, run, sight, look);
}

type Judge<Watch> = (watch: Watch, run: WatchRun | undefined, sight: Sight, look: Look) => WatchVerdict;

const minuteMs = 60_000;

const judges: { readonly [Kind in AlertKind]: Judge<Extract<AlertWatch, { kind: Kind }>> } = {
  metric: ({ metric, crosses, threshold, holdMinutes, recover }, before, { minutes }) => {
    const place = metricNames.indexOf(metric);
    const isBeyond = (value: number, line: number) => (crosses === "above" ? value > line : value < line);
    let run = before;
    for (const { at, values } of minutes) {
      const value = values[place] ?? null;
      if (value === null) continue;
      // Nobody knows what was in so long a gap: what was counted before it is not counted on.
      const last = run !== undefined && at - run.lastAt <= alertLimits.lateMs ? run : undefined;
      const held = isBeyond(value, threshold) ? (last?.held ?? 0) + 1 : 0;
      const clear = isBeyond(value, recover.threshold) ? 0 : (last?.clear ?? 0) + 1;
      run = { held, clear, since: held > 1 ? (last?.since ?? at) : at, lastAt: at, value };
    }
    return {
      run,
      crossed: run !== undefined && run.held >= holdMinutes ? { since: run.since, value: run.value } : undefined,
      isOver: run !== undefined && run.clear >= recover.minutes,
    };
  },
  offline: ({ holdMinutes }, before, { state, since }, { now }) => {
    const from = state === "offline" ? (since ?? before?.since ?? now) : undefined;
    const run = from === undefined ? undefined : { held: 0, clear: 0, since: from, lastAt: now, value: null };
    return {
      run,
      crossed: from !== undefined && now - from >= holdMinutes * minuteMs ? { since: from, value: null } : undefined,
      // Of a node that nobody has heard since a restart nothing is known, and nothing ends.
      isOver: state === "online",
    };
  },
  flapping: ({ times, minutes }, _, { comebacks }, { now, watchedMs }) => {
    const within = comebacks.filter((ago) => ago <= minutes * minuteMs);
    return {
      run: undefined,
      crossed: within.length >= times ? { since: now - Math.max(...within), value: within.length } : undefined,
      isOver: within.length * 2 <= times && watchedMs >= minutes * minuteMs,
    };
  },
};
