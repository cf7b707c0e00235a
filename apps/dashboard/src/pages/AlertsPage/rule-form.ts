import { type AlertWatch, alertLimits, type DrawnMetric } from "@gatehouse/contract";
import { metrics } from "@gatehouse/contract/metrics";
import type { AlertRule } from "../../api/alerts.ts";
import { parseScope, type TypedScope, typeScope } from "./scope-form.ts";

/** A rule as somebody typed it: numbers as texts, rates in megabytes a second. */
export interface TypedRule extends TypedScope {
  readonly name: string;
  readonly kind: AlertWatch["kind"];
  readonly metric: DrawnMetric;
  readonly crosses: "above" | "below";
  readonly threshold: string;
  readonly hold: string;
  readonly recover: string;
  readonly recoverFor: string;
  readonly times: string;
}

export type WrongRule = Partial<Record<keyof TypedRule, string>>;
type Wish = { readonly name: string; readonly watch: AlertWatch; readonly appliesTo: AlertRule["appliesTo"] };

const fresh: TypedRule = {
  name: "",
  kind: "metric",
  metric: "disk",
  crosses: "above",
  threshold: "80",
  hold: "5",
  recover: "75",
  recoverFor: "2",
  times: "6",
  scope: "all",
  tags: "",
};

export function typeRule(rule?: Pick<AlertRule, "name" | "watch" | "appliesTo">): TypedRule {
  if (rule === undefined) return fresh;
  const { name, watch, appliesTo } = rule;
  const common = { ...fresh, ...typeScope(appliesTo), name, kind: watch.kind };
  if (watch.kind === "offline") return { ...common, hold: String(watch.holdMinutes) };
  if (watch.kind === "flapping") return { ...common, times: String(watch.times), hold: String(watch.minutes) };
  const { metric, crosses, threshold, holdMinutes, recover } = watch;
  const { factor } = unitOf(metric);
  return {
    ...common,
    metric,
    crosses,
    threshold: String(threshold / factor),
    hold: String(holdMinutes),
    recover: String(recover.threshold / factor),
    recoverFor: String(recover.minutes),
  };
}

/** In which unit a threshold is typed. */
export function unitOf(metric: DrawnMetric): { readonly factor: number; readonly unit: string } {
  const { unit } = metrics[metric];
  if (unit === "bytes per second") return { factor: 1_000_000, unit: "MB/s" };
  return { factor: 1, unit: unit === "percent" ? "%" : "" };
}

/** What is wanted, or what is wrong with it, field by field. `nodes` are the single hosts that it already was for. */
export function parseRule(
  typed: TypedRule,
  nodes: readonly string[] = [],
): { readonly wish: Wish } | { readonly wrong: WrongRule } {
  const name = typed.name.trim();
  const scope = parseScope(typed, nodes);
  const read = readWatch(typed);
  const wrong: WrongRule = {
    ...(name === "" && { name: "A rule has a name." }),
    ...("wrong" in scope && { tags: scope.wrong }),
    ...("wrong" in read && read.wrong),
  };
  if (Object.keys(wrong).length > 0 || "wrong" in scope || "wrong" in read) return { wrong };
  return { wish: { name, watch: read.watch, appliesTo: scope.appliesTo } };
}

function readWatch(typed: TypedRule): { readonly watch: AlertWatch } | { readonly wrong: WrongRule } {
  const { kind } = typed;
  const hold = wholeWithin(typed.hold, kind === "offline" ? 0 : 1, alertLimits.holdMinutes);
  if (kind === "offline") {
    return "wrong" in hold ? { wrong: { hold: hold.wrong } } : { watch: { kind, holdMinutes: hold.number } };
  }
  if (kind === "flapping") {
    const times = wholeWithin(typed.times, 2, 60);
    if (!("wrong" in hold) && !("wrong" in times)) {
      return { watch: { kind, times: times.number, minutes: hold.number } };
    }
    return {
      wrong: { ...("wrong" in hold && { hold: hold.wrong }), ...("wrong" in times && { times: times.wrong }) },
    };
  }
  return readMetric(typed, hold);
}

type ReadNumber = { readonly number: number } | { readonly wrong: string };

function readMetric({ metric, crosses, ...typed }: TypedRule, hold: ReadNumber): ReturnType<typeof readWatch> {
  const { factor, unit } = unitOf(metric);
  const most = metrics[metric].most / factor;
  const threshold = amountUpTo(typed.threshold, most, unit);
  const recover = amountUpTo(typed.recover, most, unit);
  const minutes = wholeWithin(typed.recoverFor, 1, alertLimits.holdMinutes);
  if ("wrong" in hold || "wrong" in threshold || "wrong" in recover || "wrong" in minutes) {
    return {
      wrong: {
        ...("wrong" in hold && { hold: hold.wrong }),
        ...("wrong" in threshold && { threshold: threshold.wrong }),
        ...("wrong" in recover && { recover: recover.wrong }),
        ...("wrong" in minutes && { recoverFor: minutes.wrong }),
      },
    };
  }
  const isBeyond = crosses === "above" ? recover.number > threshold.number : recover.number < threshold.number;
  if (isBeyond) {
    const words =
      crosses === "above"
        ? "At most what opens it, or it would never end."
        : "At least what opens it, or it would never end.";
    return { wrong: { recover: words } };
  }
  return {
    watch: {
      kind: "metric",
      metric,
      crosses,
      threshold: inKept(threshold.number, factor),
      holdMinutes: hold.number,
      recover: { threshold: inKept(recover.number, factor), minutes: minutes.number },
    },
  };
}

/** Thousandths of what is typed are whole in the unit in which it is kept. */
function inKept(typed: number, factor: number): number {
  return factor === 1 ? typed : Math.round(typed * factor);
}

function wholeWithin(text: string, least: number, most: number): ReadNumber {
  const number = Number(text.trim());
  const isGood = /^\d{1,4}$/.test(text.trim()) && number >= least && number <= most;
  return isGood ? { number } : { wrong: `A whole number from ${least} to ${most}.` };
}

/** A comma is read as a point: people write both. */
function amountUpTo(text: string, most: number, unit: string): ReadNumber {
  const plain = text.trim().replace(",", ".");
  const number = Number(plain);
  if (/^\d{1,9}(\.\d{1,3})?$/.test(plain) && number <= most) return { number };
  return { wrong: `A number from 0 to ${most.toLocaleString("en-GB")}${unit === "" ? "" : ` ${unit}`}.` };
}
