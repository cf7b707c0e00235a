import { shortTime, table } from "@gatehouse/command-line";
import type { DrawnMetric } from "@gatehouse/contract";
import type { NodeMetrics } from "@gatehouse/contract/routes";

/** What a node has measured, for people: a row and a curve for each metric. */
export function metricLines(name: string, shown: NodeMetrics): string[] {
  const { from, to, minutes, latest, restarts, stepSeconds } = shown;
  const what = minutes === 1 ? "1 minute" : `${minutes} minutes`;
  const lines = [
    `${name}, ${shortTime(from)} to ${shortTime(to)}: ${what} measured, a point is ${stepWords(stepSeconds)}`,
  ];
  if (latest === null)
    return [
      ...lines,
      "Nothing was measured in this time. A host that connects says its first value within two minutes.",
    ];
  return [
    ...lines,
    "",
    ...table(
      ["", "now", "least", "mean", "most", "", "of"],
      drawn.map((row) => rowOf(row, shown)),
    ),
    "",
    `up for ${latest.uptime === null ? "an unknown time" : durationWords(latest.uptime)}, measured at ${shortTime(latest.at)}`,
    ...restarts.map((at) => `the host restarted around ${shortTime(at)}`),
  ];
}

interface Row {
  readonly metric: DrawnMetric;
  readonly title: string;
  readonly say: (value: number) => string;
  readonly of: (latest: NonNullable<NodeMetrics["latest"]>) => string;
  /** The top of the curve; without it, the most there was. */
  readonly top?: number;
}

const percent = { say: (value: number) => `${value.toFixed(1)} %`, top: 100 };
const rate = { say: (value: number) => bitWords(value * 8), of: () => "" };

const drawn: readonly Row[] = [
  { ...percent, metric: "cpu", title: "CPU", of: ({ cores }) => (cores === null ? "" : `${cores} cores`) },
  { metric: "load", title: "load", say: (value) => value.toFixed(2), of: () => "" },
  { ...percent, metric: "memory", title: "memory", of: ({ memoryTotal }) => sizeWords(memoryTotal) },
  { ...percent, metric: "disk", title: "disk", of: ({ diskTotal }) => sizeWords(diskTotal) },
  { ...rate, metric: "netIn", title: "network in" },
  { ...rate, metric: "netOut", title: "network out" },
];

function rowOf({ metric, title, say, of, top }: Row, { curves, latest }: NodeMetrics): string[] {
  const { mean, least, most } = curves[metric];
  const said = (value: number | null | undefined) => (value === null || value === undefined ? "-" : say(value));
  const measured = mean.filter((value) => value !== null);
  const middle = measured.length === 0 ? null : measured.reduce((sum, value) => sum + value, 0) / measured.length;
  const low = lowest(least);
  const high = highest(most);
  const now = said(latest?.[metric]);
  return [
    title,
    now,
    said(low),
    said(middle),
    said(high),
    curve(mean, top ?? high ?? 0),
    latest === null ? "" : of(latest),
  ];
}

const bars = "▁▂▃▄▅▆▇█";

/** A character for each point; a space where nothing was measured. */
function curve(values: readonly (number | null)[], top: number): string {
  return values
    .map((value) => {
      if (value === null) return " ";
      const step = top === 0 ? 0 : Math.floor((value / top) * bars.length);
      return bars[Math.min(step, bars.length - 1)] ?? " ";
    })
    .join("");
}

function lowest(values: readonly (number | null)[]): number | null {
  return values.reduce((least, value) => (value === null || (least !== null && least <= value) ? least : value), null);
}

function highest(values: readonly (number | null)[]): number | null {
  return values.reduce((most, value) => (value === null || (most !== null && most >= value) ? most : value), null);
}

function bitWords(bits: number): string {
  return withUnit(bits, 1_000, ["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"]);
}

function sizeWords(bytes: number | null): string {
  return bytes === null ? "" : withUnit(bytes, 1_000, ["B", "kB", "MB", "GB", "TB", "PB"]);
}

function withUnit(value: number, base: number, units: readonly string[]): string {
  let [rest, n] = [value, 0];
  while (rest >= base && n < units.length - 1) [rest, n] = [rest / base, n + 1];
  return `${n === 0 || rest >= 100 ? Math.round(rest) : rest.toFixed(1)} ${units[n] ?? ""}`;
}

function stepWords(seconds: number): string {
  return seconds === 60 ? "a minute" : durationWords(seconds);
}

/** In the two largest units that it has. */
function durationWords(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3_600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return "less than a minute";
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ");
}
