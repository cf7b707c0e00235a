import type { Alert, AuditEntryView, Plan } from "@gatehouse/contract/routes";
import type { NodeMetrics } from "../../api/metrics.ts";
import { utcMoment } from "../../ui/time-axis.ts";
import type { State } from "../../ui/StateMark.tsx";
import { type HostPlan, hostPlans, sayHostPlan } from "../Plans/host-plans.ts";
import { sayTask } from "../Plans/task-words.ts";

/** What happened to a host at a moment: a plan that ended there or is under way, or that it came up again. */
export interface HostMark {
  readonly key: string;
  readonly node: string;
  readonly plan: string | undefined;
  readonly at: number;
  /** None for what the host did by itself. */
  readonly state: State | undefined;
  /** "Rolled back" */
  readonly word: string;
  /** The plan's title, where there is a plan. */
  readonly title: string | undefined;
  readonly href: string | undefined;
  /** What it was in a sentence or two. */
  readonly line: string | undefined;
}

interface About {
  readonly node: string;
  readonly entries: readonly AuditEntryView[];
  /** Those that are known; a title is left out otherwise. */
  readonly plans: ReadonlyMap<string, Pick<Plan, "title" | "approvals">>;
  readonly mayPlans: boolean;
  readonly nameOf: (actor: string) => string;
}

/** What plans did to one host, from the log's entries about its tasks. */
export function planMarks({ node, entries, plans, mayPlans, nameOf }: About): readonly HostMark[] {
  return hostPlans(entries).map((task) => {
    const plan = plans.get(task.plan);
    return {
      key: `${node} ${task.plan}`,
      node,
      plan: task.plan,
      at: Date.parse(task.at),
      ...sayTask(task),
      title: plan?.title ?? `Plan ${task.plan.slice(-8)}`,
      href: mayPlans ? planHref(task, node) : undefined,
      line: sayHostPlan(task, plan, nameOf),
    };
  });
}

function planHref({ plan }: HostPlan, node: string): string {
  return `/plans/${plan}?node=${node}`;
}

/** When a host came up again. */
export function restartMarks({ node, restarts }: Pick<NodeMetrics, "node" | "restarts">): readonly HostMark[] {
  return restarts.map((at) => ({
    key: `${node} ${at}`,
    node,
    plan: undefined,
    at: Date.parse(at),
    state: undefined,
    word: "host restarted",
    title: undefined,
    href: undefined,
    line: undefined,
  }));
}

/** When an alert opened that is open still. Those that have ended stand in the audit log. */
export function alertMarks(alerts: readonly Alert[]): readonly HostMark[] {
  return alerts.map(({ id, node, openedAt, condition }) => ({
    key: id,
    node,
    plan: undefined,
    at: Date.parse(openedAt),
    state: "warn",
    word: "Alert opened",
    title: condition,
    href: `/alerts?node=${node}`,
    line: "An alert, open still.",
  }));
}

/** Above a chart: "QUIC rate limit, rolled back 02:48", "host restarted, 14:05". */
export function sayMark({ title, word, at }: HostMark, now: number): string {
  const clock = utcMoment(at, now);
  return title === undefined ? `${word}, ${clock}` : `${title}, ${word.toLowerCase()} ${clock}`;
}

/** Those within a time before and after a moment, the first first. */
export function marksAround(marks: readonly HostMark[], moment: number, withinMs: number): readonly HostMark[] {
  return marks.filter(({ at }) => Math.abs(at - moment) <= withinMs).toSorted((a, b) => a.at - b.at);
}

/** What one plan did alike to several hosts is said once, where it was first. */
export function togetherOf(
  marks: readonly HostMark[],
): readonly { readonly mark: HostMark; readonly nodes: readonly string[] }[] {
  const alike = Map.groupBy(marks, ({ plan, word, line, key }) =>
    plan === undefined ? key : [plan, word, line].join("\n"),
  );
  return [...alike.values()].flatMap((group) => {
    const [mark] = group;
    return mark === undefined ? [] : [{ mark, nodes: group.map(({ node }) => node) }];
  });
}
