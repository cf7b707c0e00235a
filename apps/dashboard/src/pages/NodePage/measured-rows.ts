import type { NodeMetrics } from "../../api/metrics.ts";
import { largestOf } from "../../widgets/Measured/measured-points.ts";
import { gigabytes, type MetricScale, sayNumber, sayScale, scaleOf } from "../../widgets/Measured/metric-scale.ts";

type Curves = NodeMetrics["curves"];

/** A row of the section: what it is, what it is now, and which curves are drawn on which scale. */
export interface MeasuredRow {
  readonly label: string;
  /** "21 %"; a dash where nothing is known. */
  readonly now: string;
  /** "of 8 cores" */
  readonly note: string;
  readonly scale: MetricScale;
  /** The second of two is dashed. */
  readonly metrics: readonly (keyof Curves)[];
}

/** What a host has measured, by the newest of its minutes. All answers are drawn on one scale, so that an hour can be held against its day. */
export function measuredRows(answers: readonly NodeMetrics[]): readonly MeasuredRow[] {
  const latest = answers.find((answer) => answer.latest !== null)?.latest ?? null;
  const percent = scaleOf("cpu", 0);
  const load = scaleOf("load", largestOf(answers, "load"));
  const net = scaleOf("netIn", largestOf(answers, "netIn", "netOut"));
  const { cores = null, memoryTotal = null, diskTotal = null } = latest ?? {};
  return [
    {
      label: "CPU",
      now: sayPercent(latest?.cpu),
      note: cores === null ? "" : `of ${cores} ${cores === 1 ? "core" : "cores"}`,
      scale: percent,
      metrics: ["cpu"],
    },
    {
      label: "Memory",
      now: sayPart(latest?.memory, memoryTotal),
      note: memoryTotal === null ? "" : `of ${gigabytes(memoryTotal)}`,
      scale: percent,
      metrics: ["memory"],
    },
    {
      label: "Disk",
      now: sayPercent(latest?.disk),
      note: diskTotal === null ? "the fullest" : `of ${gigabytes(diskTotal)}, the fullest`,
      scale: percent,
      metrics: ["disk"],
    },
    {
      label: "Network",
      now: `${sayNumber(latest?.netIn, net)} in, ${sayNumber(latest?.netOut, net)} out`,
      note: `${net.unit}, scale ${sayScale(net)}`,
      scale: net,
      metrics: ["netIn", "netOut"],
    },
    {
      label: "Load",
      now: sayNumber(latest?.load, load),
      note: `1 min, scale ${sayScale(load)}`,
      scale: load,
      metrics: ["load"],
    },
  ];
}

function sayPercent(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : `${Math.round(value)} %`;
}

/** Where the whole is known, the size of the part says more. */
function sayPart(percent: number | null | undefined, whole: number | null): string {
  if (whole === null || percent === null || percent === undefined) return sayPercent(percent);
  return gigabytes((whole * percent) / 100);
}

/** A curve as lines of an SVG that is as wide as its points and 100 high: a gap begins a new one, a point alone is a dot. */
export function curvePath(values: readonly (number | null)[], { factor, most }: MetricScale): string {
  let path = "";
  let isOpen = false;
  for (const [at, value] of values.entries()) {
    if (value === null) {
      isOpen = false;
      continue;
    }
    const top = (100 * (1 - Math.min(1, (value * factor) / most))).toFixed(1);
    const isAlone = !isOpen && (values[at + 1] ?? null) === null;
    path += isOpen ? `L${at} ${top}` : `M${at} ${top}${isAlone ? "h0" : ""}`;
    isOpen = true;
  }
  return path;
}
