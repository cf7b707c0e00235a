import { metricNames, metrics, sayAlertWatch } from "@gatehouse/contract";
import {
  type AlertRecord,
  type AlertSilenceRecord,
  alertKind,
  alertSilenceKind,
  nodeKind,
} from "@gatehouse/contract/records";
import type { Alert, AlertRule, AlertSilence } from "@gatehouse/contract/routes";
import { listRecords } from "@gatehouse/store/decide";
import type { SeenNodes } from "../../platform/route/index.ts";
import { isBuiltInRule, type KnownRule, listAlertRules } from "./alert-rules.ts";
import { silencedUntil } from "./alert-silences.ts";
import type { AlertsDeps } from "./alerts-deps.ts";
import { cutToSeen } from "./covers-node.ts";
import type { Signals } from "./signals.ts";

/** What an alert is seen by, beside its own record. */
export interface Board {
  readonly alerts: readonly AlertRecord[];
  readonly rules: ReadonlyMap<string, KnownRule>;
  readonly silences: readonly AlertSilenceRecord[];
}

export async function readBoard(store: AlertsDeps["store"], seen: SeenNodes): Promise<Board> {
  const [alerts, rules, silences] = await Promise.all([
    listRecords(store, alertKind),
    listAlertRules(store),
    listRecords(store, alertSilenceKind),
  ]);
  return {
    alerts: alerts.map(({ value }) => value).filter(({ node }) => seen.has(node)),
    rules: new Map(rules.map((rule) => [rule.id, rule])),
    silences: silences.map(({ value }) => value),
  };
}

export interface ViewDeps extends Pick<AlertsDeps, "store" | "clock"> {
  readonly signals: Pick<Signals, "newest">;
}

/** An alert in today's words: the rule's and the node's, where they are still there. */
export async function viewAlert(
  { store, clock, signals }: ViewDeps,
  { rules, silences }: Omit<Board, "alerts">,
  alert: AlertRecord,
): Promise<Alert> {
  const node = (await store.get(nodeKind.key(alert.node)))?.value;
  const spec = rules.get(alert.rule)?.spec;
  const watch = spec?.watch;
  const metric = watch?.kind === "metric" ? watch : undefined;
  const until = silencedUntil(silences, alert.rule, { id: alert.node, tags: node?.tags ?? [] }, clock.now());
  const newest = metric && signals.newest(alert.node)?.[metricNames.indexOf(metric.metric)];
  const { acknowledged } = alert;
  return {
    id: alert.id,
    rule: alert.rule,
    name: spec?.name ?? alert.name,
    kind: alert.kind,
    node: alert.node,
    nodeName: node?.name ?? alert.nodeName,
    condition: watch === undefined ? alert.condition : sayAlertWatch(watch),
    value: newest ?? alert.value,
    threshold: metric?.threshold ?? null,
    unit: metric === undefined ? null : metrics[metric.metric].unit,
    since: iso(alert.since),
    openedAt: iso(alert.openedAt),
    acknowledged: acknowledged && { ...acknowledged, at: iso(acknowledged.at) },
    silencedUntil: until === null ? null : iso(until),
  };
}

/** What somebody should look at first comes first: what nobody looks after and nobody has silenced, then the oldest. */
export function sortByUrgency(alerts: readonly Alert[]): readonly Alert[] {
  const rank = ({ acknowledged, silencedUntil: until }: Alert) => (until !== null ? 2 : acknowledged !== null ? 1 : 0);
  return alerts.toSorted((one, other) => rank(one) - rank(other) || Date.parse(one.since) - Date.parse(other.since));
}

/** Undefined for a rule that names only nodes which the caller may not see. */
export function viewRule({ id, spec, changed }: KnownRule, { alerts }: Board, seen: SeenNodes): AlertRule | undefined {
  const appliesTo = cutToSeen(spec.appliesTo, seen);
  if (appliesTo === undefined) return undefined;
  return {
    id,
    name: spec.name,
    enabled: spec.enabled,
    watch: spec.watch,
    appliesTo,
    condition: sayAlertWatch(spec.watch),
    builtIn: isBuiltInRule(id),
    changedAt: changed === undefined ? null : iso(changed.at),
    changedBy: changed?.by ?? null,
    open: alerts.filter(({ rule }) => rule === id).length,
  };
}

export function viewSilence(silence: AlertSilenceRecord, seen: SeenNodes): AlertSilence | undefined {
  const appliesTo = cutToSeen(silence.appliesTo, seen);
  return appliesTo && { ...silence, appliesTo, until: iso(silence.until), at: iso(silence.at) };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
