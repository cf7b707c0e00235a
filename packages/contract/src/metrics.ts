/** How the value of a metric is kept: in steps of one size; to a part of itself; or as the moment at which it was zero. */
export type MetricPrecision =
  | { readonly kind: "step"; readonly step: number }
  | { readonly kind: "part"; readonly part: number }
  | { readonly kind: "age" };

interface MetricSpec {
  readonly says: string;
  readonly unit: "percent" | "number" | "bytes" | "bytes per second" | "seconds";
  /** What a host cannot honestly say more than; the least is 0. */
  readonly most: number;
  readonly precision: MetricPrecision;
}

const terabyte = 10 ** 12;
const percent = { unit: "percent", most: 100, precision: { kind: "step", step: 0.1 } } as const;
/** Strict JSON has no greater whole number than 2^53 - 1: a message with one would be refused, and come again. */
const size = { unit: "bytes", most: 9_000 * terabyte, precision: { kind: "step", step: 1024 * 1024 } } as const;
const rate = { unit: "bytes per second", most: 10 * terabyte, precision: { kind: "part", part: 0.01 } } as const;

/**
 * What a host measures of itself, a value a minute. The order is that of the channel and of the stored rows: a new metric
 * comes last, and none goes. An end that does not know the last ones leaves them away.
 */
export const metrics = {
  cpu: { ...percent, says: "Processor time in use, of all cores, over the minute." },
  load: {
    says: "Tasks that ran or waited to, averaged over a minute by the kernel.",
    unit: "number",
    most: 100_000,
    precision: { kind: "step", step: 0.01 },
  },
  memory: { ...percent, says: "Memory that programs use: what cannot be had without swapping." },
  memoryTotal: { ...size, says: "All memory." },
  disk: { ...percent, says: "How full the fullest of the host's file systems is." },
  diskTotal: { ...size, says: "The size of that file system." },
  netIn: { ...rate, says: "Received by all cards, without loopback and tunnels." },
  netOut: { ...rate, says: "Sent by them." },
  uptime: {
    says: "How long the host has been running.",
    unit: "seconds",
    most: 100 * 366 * 86_400,
    precision: { kind: "age" },
  },
  cores: { says: "Processors that are online.", unit: "number", most: 100_000, precision: { kind: "step", step: 1 } },
} as const satisfies Record<string, MetricSpec>;

export type MetricName = keyof typeof metrics;
export const metricNames = Object.keys(metrics) as readonly MetricName[];

/** Those that are drawn over time; the others say what they are parts of. */
export const drawnMetrics = [
  "cpu",
  "load",
  "memory",
  "disk",
  "netIn",
  "netOut",
] as const satisfies readonly MetricName[];
export type DrawnMetric = (typeof drawnMetrics)[number];

/** One per metric, in their order; null where the host could not say. */
export type MetricValues = readonly (number | null)[];

/** What a host said, made such that it can be kept: one value per metric, each within its bounds or null. */
export function fitMetricValues(told: MetricValues): MetricValues {
  return metricNames.map((name, n) => {
    const value = told[n] ?? null;
    return value === null || !Number.isFinite(value) || value < 0 ? null : Math.min(value, metrics[name].most);
  });
}

/** Every number at which metrics are cut off. */
export const metricLimits = {
  minuteMs: 60_000,
  /** Minutes that an agent holds while nobody takes them; the oldest go first. */
  heldMinutes: 180,
  /** Minutes of one message. */
  sentMinutes: 60,
  /** Older ones are not taken. */
  oldestMs: 4 * 3_600_000,
  /** Minutes that one host may send in a minute: all it holds, twice. */
  takenPerMinute: 400,
  /** Points of one answer: a day by the minute. */
  points: 1_440,
  unsaidPoints: 240,
  /** The longest stretch of one answer. */
  stretchDays: 366,
} as const;
