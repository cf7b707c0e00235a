import type { Node } from "@gatehouse/contract/routes";
import type { Alert } from "../../api/alerts.ts";
import { type AlertState, alertStateOf, alertStates } from "../../widgets/Alerts/say-care.ts";
import { searchOf } from "../../widgets/Fleet/nodes-href.ts";

/** What of the open alerts is shown, as the address says it. */
export interface AlertFilter {
  readonly state?: AlertState;
  readonly rule?: string;
  readonly tag?: string;
  readonly node?: string;
}

const names = ["state", "rule", "tag", "node"] as const;

/** What the address says; the router reads `?tag=12` as a number, so everything is made text again. */
export function readAlertFilter(search: Readonly<Record<string, unknown>>): AlertFilter {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = search[name];
      const text = typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
      if (text === "" || (name === "state" && !isState(text))) return [];
      return [[name, text]];
    }),
  );
}

export function alertsHref(filter: AlertFilter): string {
  const said = names.flatMap((name) => searchOf(name, filter[name]));
  return said.length === 0 ? "/alerts" : `/alerts?${said.join("&")}`;
}

type Tagged = Pick<Node, "id" | "tags">;

/** All conditions hold together. Of a node that is not known no tag is. */
export function filterAlerts(
  alerts: readonly Alert[],
  { state, rule, tag, node }: AlertFilter,
  nodes: readonly Tagged[],
): readonly Alert[] {
  const tagged =
    tag === undefined ? undefined : new Set(nodes.filter((one) => one.tags.includes(tag)).map(({ id }) => id));
  return alerts.filter(
    (alert) =>
      (state === undefined || alertStateOf(alert) === state) &&
      (rule === undefined || alert.rule === rule) &&
      (node === undefined || alert.node === node) &&
      (tagged === undefined || tagged.has(alert.node)),
  );
}

/** What asks for somebody first, and in each state the newest first. */
export function sortAlerts(alerts: readonly Alert[]): readonly Alert[] {
  const rank = (alert: Alert): number => alertStates.indexOf(alertStateOf(alert));
  return alerts.toSorted(
    (a, b) => rank(a) - rank(b) || b.openedAt.localeCompare(a.openedAt) || a.id.localeCompare(b.id),
  );
}

export type AlertCounts = Readonly<Record<AlertState, number>>;

export function countAlerts(alerts: readonly Alert[]): AlertCounts {
  const counts: Record<AlertState, number> = { unacknowledged: 0, acknowledged: 0, silenced: 0 };
  for (const alert of alerts) counts[alertStateOf(alert)] += 1;
  return counts;
}

/** "6 open: 4 unacknowledged, 2 silenced." */
export function sayOpen(alerts: readonly Alert[]): string {
  const counts = countAlerts(alerts);
  const parts = alertStates
    .filter((state) => counts[state] > 0)
    .map((state) => `${counts[state].toLocaleString("en-GB")} ${state}`);
  return `${alerts.length.toLocaleString("en-GB")} open: ${parts.join(", ")}.`;
}

function isState(text: string): text is AlertState {
  return alertStates.some((state) => state === text);
}
