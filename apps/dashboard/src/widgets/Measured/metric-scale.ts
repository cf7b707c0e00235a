import type { DrawnMetric } from "@gatehouse/contract";

/** The metrics as they are chosen and drawn, in this order. */
export const chosenMetrics = [
  "netOut",
  "netIn",
  "cpu",
  "memory",
  "disk",
  "load",
] as const satisfies readonly DrawnMetric[];

export const metricTitles: Readonly<Record<DrawnMetric, string>> = {
  netOut: "Network out",
  netIn: "Network in",
  cpu: "CPU",
  memory: "Memory",
  disk: "Disk",
  load: "Load",
};

/** How the values of a metric are drawn and said: all of one chart in one unit. */
export interface MetricScale {
  /** Of the value as it is kept. */
  readonly factor: number;
  /** The upper end, in this unit. */
  readonly most: number;
  /** Behind a number; empty for one that has none. */
  readonly unit: string;
  /** What the numbers are, for a heading: "% of all cores". */
  readonly words: string;
}

const percentWords = { cpu: "% of all cores", memory: "% used", disk: "% of the fullest" } as const;

const rates = [
  { upTo: 1_000_000, factor: 8 / 1_000, unit: "kbit/s" },
  { upTo: 10_000_000_000, factor: 8 / 1_000_000, unit: "Mbit/s" },
  { upTo: Number.POSITIVE_INFINITY, factor: 8 / 1_000_000_000, unit: "Gbit/s" },
] as const;

/** For values up to this one, as they are kept: percent, a number, bytes per second. */
export function scaleOf(metric: DrawnMetric, largest: number): MetricScale {
  if (metric === "load") return { factor: 1, most: roundUp(Math.max(largest, 0.5)), unit: "", words: "1 min" };
  if (metric !== "netIn" && metric !== "netOut") {
    return { factor: 1, most: 100, unit: "%", words: percentWords[metric] };
  }
  const { factor, unit } = rates.find(({ upTo }) => largest * 8 < upTo) ?? rates[2];
  return { factor, most: roundUp(Math.max(largest * factor, 1)), unit, words: unit };
}

/** The next of 1, 2, 4, 5, 8 or 10 with as many noughts as it takes: halves and quarters of them are whole enough to read. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 4, 5, 8, 10].find((each) => each * power >= value * 0.999_999) ?? 10;
  // A tenth cannot be said exactly in binary.
  return Number((step * power).toPrecision(3));
}

/** As many places as the scale has room to show; all numbers of a chart have the same. */
export function sayNumber(
  kept: number | null | undefined,
  { factor, most }: Pick<MetricScale, "factor" | "most">,
): string {
  if (kept === null || kept === undefined) return "–";
  const places = most >= 50 ? 0 : most >= 5 ? 1 : 2;
  return (kept * factor).toLocaleString("en-GB", { minimumFractionDigits: places, maximumFractionDigits: places });
}

/** The upper end of a scale, or a part of it: "400", "0.5". */
export function sayScale({ most }: Pick<MetricScale, "most">, part = 1): string {
  return (most * part).toLocaleString("en-GB", { maximumFractionDigits: 2 });
}

export function sayValue(kept: number | null | undefined, scale: MetricScale): string {
  if (kept === null || kept === undefined) return "no value";
  return `${sayNumber(kept, scale)} ${scale.unit}`.trim();
}

/** "16 GB", "6.1 GB": memory and disks, in the thousands that makers and the cloud sell them in. */
export function gigabytes(bytes: number): string {
  const [size, unit] = bytes >= 1e12 ? [bytes / 1e12, "TB"] : bytes >= 1e9 ? [bytes / 1e9, "GB"] : [bytes / 1e6, "MB"];
  return `${size.toLocaleString("en-GB", { maximumFractionDigits: size < 10 ? 1 : 0 })} ${unit}`;
}
