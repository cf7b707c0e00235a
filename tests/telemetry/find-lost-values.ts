import { metricNames, metrics, type MetricValues } from "@gatehouse/contract";
import type { MinuteSeries, Telemetry } from "@gatehouse/store/telemetry";

const minuteMs = 60_000;

/** An hour as it was told: its minutes by their time. */
export interface ToldHour {
  readonly node: string;
  readonly begin: number;
  readonly minutes: ReadonlyMap<number, MetricValues>;
}

/** Compares what is read with what was told, minute by minute; says what is farther away than its precision allows. */
export async function findLostValues(port: Telemetry, { node, begin, minutes }: ToldHour): Promise<string[]> {
  const series = await port.measured({ node, from: begin, to: begin + 60 * minuteMs, stepMs: minuteMs });
  const lost = series.minutes === minutes.size ? [] : [`${minutes.size} minutes were told, ${series.minutes} are kept`];
  for (let minute = 0; minute < 60; minute += 1) {
    const told = minutes.get(begin + minute * minuteMs);
    for (const [n, name] of metricNames.entries()) {
      const value = told?.[n] ?? null;
      const kept = keptValue(series, n, minute);
      if (isKept(name, value, kept)) continue;
      lost.push(`${node} ${new Date(begin).toISOString()} minute ${minute}: ${name} was ${value} and is ${kept}`);
    }
  }
  return lost;
}

function keptValue({ curves }: MinuteSeries, metric: number, point: number): number | null {
  return curves[metric]?.mean[point] ?? null;
}

function isKept(name: (typeof metricNames)[number], told: number | null, kept: number | null): boolean {
  if (told === null || kept === null) return told === kept;
  const { precision } = metrics[name];
  const off = Math.abs(told - kept);
  if (precision.kind === "step") return off <= precision.step * 0.51;
  if (precision.kind === "part") return off <= Math.max(0.01, told * precision.part * 0.51);
  // The second at which the host came up is not asked again while it is about the same.
  return off <= 6;
}
