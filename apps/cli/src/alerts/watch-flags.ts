import { UsageError } from "@gatehouse/command-line";
import { type AlertWatch, alertWatch, drawnMetrics, type MetricWatch } from "@gatehouse/contract";

/** How a rule's condition is written. */
export const watchFlags = {
  metric: { value: "METRIC", about: "Watch for a metric, with --above or --below.", choices: drawnMetrics },
  above: { value: "VALUE", about: "Open when the metric is over it: percent, bytes a second, or a number." },
  below: { value: "VALUE", about: "Open when the metric is under it." },
  for: { value: "MINUTES", about: "How long it has to hold, up to 60. Without it, 5, or 2 for --offline." },
  recover: { value: "VALUE", about: "At which value it recovers. Without it, at the value of --above or --below." },
  "recover-for": { value: "MINUTES", about: "How long that has to hold, up to 60. Without it, 2." },
  offline: { about: "Watch for nodes that are offline." },
  flapping: { value: "TIMES", about: "Watch for nodes that connect anew so often, from 2 to 60." },
  within: { value: "MINUTES", about: "In how many minutes, up to 60. Without it, 20." },
} as const;

export interface GivenWatch {
  readonly metric?: MetricWatch["metric"];
  readonly above?: string;
  readonly below?: string;
  readonly for?: string;
  readonly recover?: string;
  readonly "recover-for"?: string;
  readonly offline?: true;
  readonly flapping?: string;
  readonly within?: string;
}

/** The condition of a new rule. */
export function readWatch(given: GivenWatch, topic: string): AlertWatch {
  const { metric, offline, flapping } = given;
  if ([metric, offline, flapping].filter((one) => one !== undefined).length !== 1) {
    throw new UsageError("write one of --metric, --offline and --flapping", topic);
  }
  if (offline) return judged({ kind: "offline", holdMinutes: numberOf(given, "for", topic) ?? 2 }, topic);
  if (flapping !== undefined) {
    const times = numberOf(given, "flapping", topic);
    return judged({ kind: "flapping", times, minutes: numberOf(given, "within", topic) ?? 20 }, topic);
  }
  const line = lineOf(given, topic);
  if (line === undefined) throw new UsageError("--metric needs --above or --below", topic);
  const recover = {
    threshold: numberOf(given, "recover", topic) ?? line.threshold,
    minutes: numberOf(given, "recover-for", topic) ?? 2,
  };
  return judged({ kind: "metric", metric, ...line, holdMinutes: numberOf(given, "for", topic) ?? 5, recover }, topic);
}

/** A condition as it becomes: what is not written stays. */
export function changeWatch(before: AlertWatch, given: GivenWatch, topic: string): AlertWatch {
  const other = unfit[before.kind].find((name) => given[name] !== undefined);
  if (other !== undefined)
    throw new UsageError(`--${other} does not fit a rule that watches for ${before.kind}`, topic);
  const holds = numberOf(given, "for", topic);
  if (before.kind === "offline") return judged({ ...before, holdMinutes: holds ?? before.holdMinutes }, topic);
  if (before.kind === "flapping") {
    const times = numberOf(given, "flapping", topic) ?? before.times;
    return judged({ ...before, times, minutes: numberOf(given, "within", topic) ?? before.minutes }, topic);
  }
  const recover = {
    threshold: numberOf(given, "recover", topic) ?? before.recover.threshold,
    minutes: numberOf(given, "recover-for", topic) ?? before.recover.minutes,
  };
  return judged({ ...before, ...lineOf(given, topic), holdMinutes: holds ?? before.holdMinutes, recover }, topic);
}

const ofMetrics = ["metric", "above", "below", "recover", "recover-for"] as const;
/** What a rule that is there cannot be told, by what it watches for. */
const unfit: Readonly<Record<AlertWatch["kind"], readonly (keyof GivenWatch)[]>> = {
  metric: ["metric", "offline", "flapping", "within"],
  offline: [...ofMetrics, "offline", "flapping", "within"],
  flapping: [...ofMetrics, "for", "offline"],
};

function lineOf(given: GivenWatch, topic: string): Pick<MetricWatch, "crosses" | "threshold"> | undefined {
  if (given.above !== undefined && given.below !== undefined)
    throw new UsageError("--above or --below, not both", topic);
  const above = numberOf(given, "above", topic);
  if (above !== undefined) return { crosses: "above", threshold: above };
  const below = numberOf(given, "below", topic);
  return below === undefined ? undefined : { crosses: "below", threshold: below };
}

function numberOf(given: GivenWatch, name: Exclude<keyof GivenWatch, "offline" | "metric">, topic: string) {
  const written = given[name];
  if (written === undefined) return undefined;
  if (/^(0|[1-9][0-9]{0,15})(\.[0-9]{1,3})?$/.test(written)) return Number(written);
  throw new UsageError(`--${name} takes a number; found ${JSON.stringify(written)}`, topic);
}

function judged(watch: unknown, topic: string): AlertWatch {
  const read = alertWatch.safeParse(watch);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = issue?.path.join(".") ?? "";
  throw new UsageError(`${flagOfField[place] ?? "the condition"}: ${issue?.message ?? "is none"}`, topic);
}

/** By the field of the condition that it becomes. */
const flagOfField: Readonly<Record<string, string>> = {
  threshold: "--above and --below",
  holdMinutes: "--for",
  "recover.threshold": "--recover",
  "recover.minutes": "--recover-for",
  times: "--flapping",
  minutes: "--within",
};
