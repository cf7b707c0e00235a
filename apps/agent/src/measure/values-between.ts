import {
  fitMetricValues,
  metricLimits,
  type MetricName,
  metricNames,
  metrics,
  type MetricValues,
} from "@gatehouse/contract";
import type { HostReading } from "./read-host.ts";

/** Over less, a rate is noise; over more than two minutes it is none of the last one. */
const leastMs = 5_000;
const mostMs = 2 * metricLimits.minuteMs;

/** The values of a minute, from a reading at its end and one before. What cannot be said is null, and never 0. */
export function valuesBetween(before: HostReading | undefined, now: HostReading): MetricValues {
  const elapsed = before === undefined ? 0 : now.monotonic - before.monotonic;
  const since =
    before !== undefined && elapsed >= leastMs && elapsed <= mostMs ? { before, seconds: elapsed / 1_000 } : null;
  const { memory, disk } = now;
  const values: Readonly<Record<MetricName, number | null>> = {
    cpu: since && busyShare(since.before, now),
    load: now.load,
    memory: usedShare(memory),
    memoryTotal: memory.total,
    disk: disk?.percent ?? null,
    diskTotal: disk?.total ?? null,
    netIn: since && rate(since.before, now, "received", since.seconds),
    netOut: since && rate(since.before, now, "sent", since.seconds),
    uptime: now.uptimeSeconds,
    cores: now.cores,
  };
  return fitMetricValues(metricNames.map((name) => rounded(name, values[name])));
}

/** What is said to be available may be more than a container has. */
function usedShare({ total, available }: HostReading["memory"]): number | null {
  return total === null || total === 0 || available === null ? null : 100 * Math.max(0, 1 - available / total);
}

/** The kernel takes time of waiting back now and then, so that what is busy may be a little more than all. */
function busyShare({ processor: before }: HostReading, { processor: now }: HostReading): number | null {
  if (before === null || now === null) return null;
  const [busy, total] = [now.busy - before.busy, now.total - before.total];
  return busy < 0 || total <= 0 ? null : (100 * busy) / total;
}

/** Of all cards that are in both readings: one that came in between is counted from the next minute on. */
function rate(
  { traffic: before }: HostReading,
  { traffic: now }: HostReading,
  way: "received" | "sent",
  seconds: number,
): number | null {
  const deltas = [...now].flatMap(([name, counted]) => {
    const earlier = before.get(name);
    return earlier === undefined ? [] : [counted[way] - earlier[way]];
  });
  // A counter that went back was begun anew, and nobody knows when.
  if (deltas.length === 0 || deltas.some((each) => each < 0)) return null;
  return deltas.reduce((sum, each) => sum + each, 0) / seconds;
}

/** No digit that nobody keeps: a message of sixty minutes has a bound. */
function rounded(name: MetricName, value: number | null): number | null {
  const { precision } = metrics[name];
  const digits = precision.kind === "step" && precision.step < 1 ? Math.round(-Math.log10(precision.step)) : 0;
  return value === null ? null : Number(value.toFixed(digits));
}
