import type { Clock } from "@gatehouse/base";
import { alertLimits, metricLimits, type MetricValues } from "@gatehouse/contract";

interface Minute {
  readonly at: number;
  readonly values: MetricValues;
}

export interface Signals {
  /** What a host brought, at the server's time. */
  take(node: string, minutes: readonly Minute[]): void;
  /** It has connected. */
  arrived(node: string): void;
  /** What came of a node since this was asked last, and how long ago it connected anew. */
  draw(node: string): { readonly minutes: readonly Minute[]; readonly comebacks: readonly number[] };
  /** The newest values of a node. */
  newest(node: string): MetricValues | undefined;
  /** Forgets all others. */
  keepOnly(nodes: ReadonlySet<string>): void;
  /** How long it has been listening. */
  watchedMs(): number;
}

interface OfNode {
  /** The newest minute that was drawn. */
  drawnAt: number;
  waiting: Minute[];
  newest: Minute | undefined;
  hasArrived: boolean;
  /** Of the monotonic clock, the newest last. */
  comebacks: number[];
}

/** As many as a rule can ask for. */
const mostComebacks = 60;
const mostWaiting = alertLimits.lateMs / metricLimits.minuteMs + 1;

/**
 * What hosts let be known from one look to the next, in memory: of each a few minutes and a few moments, whatever it sends. Minutes
 * that come late, or before one that was drawn already, open nothing and are left to the curves.
 */
export function openSignals(clock: Clock): Signals {
  const nodes = new Map<string, OfNode>();
  const openedAt = clock.monotonic();
  const of = (node: string): OfNode => {
    const found = nodes.get(node);
    if (found !== undefined) return found;
    const made: OfNode = { drawnAt: 0, waiting: [], newest: undefined, hasArrived: false, comebacks: [] };
    nodes.set(node, made);
    return made;
  };
  return {
    take: (node, minutes) => {
      const entry = of(node);
      // A clock that was set back: what was drawn under the wrong time stands in nobody's way.
      if (entry.drawnAt > clock.now()) entry.drawnAt = 0;
      const oldest = Math.max(clock.now() - alertLimits.lateMs, entry.drawnAt + 1);
      for (const minute of minutes) {
        if (minute.at < oldest) continue;
        // The same minute sent again counts once, with what was said last.
        entry.waiting = [...entry.waiting.filter(({ at }) => at !== minute.at), minute]
          .toSorted((one, other) => one.at - other.at)
          .slice(-mostWaiting);
      }
      entry.newest = entry.waiting.at(-1) ?? entry.newest;
    },
    arrived: (node) => {
      const entry = of(node);
      // The first time is no return.
      if (entry.hasArrived) entry.comebacks = [...entry.comebacks, clock.monotonic()].slice(-mostComebacks);
      entry.hasArrived = true;
    },
    draw: (node) => {
      const entry = nodes.get(node);
      if (entry === undefined) return { minutes: [], comebacks: [] };
      const minutes = entry.waiting;
      entry.waiting = [];
      entry.drawnAt = minutes.at(-1)?.at ?? entry.drawnAt;
      const now = clock.monotonic();
      return { minutes, comebacks: entry.comebacks.map((at) => now - at) };
    },
    newest: (node) => nodes.get(node)?.newest?.values,
    keepOnly: (kept) => {
      for (const node of nodes.keys()) if (!kept.has(node)) nodes.delete(node);
    },
    watchedMs: () => clock.monotonic() - openedAt,
  };
}
