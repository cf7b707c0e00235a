import type { Json, JsonObject } from "@gatehouse/base";
import { type WebhookEvent, webhookTestEvent } from "@gatehouse/contract";
import type { AuditRecord } from "@gatehouse/store";
import { deliveryLimits } from "./limits.ts";
import { sayHosts, sayPlainly } from "./say-plainly.ts";

/** What one webhook is told of one entry. */
export interface Notice {
  readonly id: string;
  /** Of the entry in the audit log; 0 for a test. */
  readonly position: number;
  readonly event: WebhookEvent | typeof webhookTestEvent;
  readonly at: number;
  /** One sentence: chat services show a field of this name. */
  readonly text: string;
  readonly facts: JsonObject;
}

interface Told {
  /** What the entry is, the narrowest word first: a webhook gets it under the first that it asked for. */
  readonly events: readonly WebhookEvent[];
  readonly text: string;
  readonly facts: JsonObject;
}

/** The notice of an entry to whoever asked for these events; undefined for nearly every entry. The id is the entry's place in the log. */
export function makeNotice(entry: AuditRecord, wanted: readonly WebhookEvent[]): Notice | undefined {
  const told = Object.hasOwn(tellers, entry.action) ? tellers[entry.action]?.(entry) : undefined;
  const event = told?.events.find((one) => wanted.includes(one));
  if (told === undefined || event === undefined) return undefined;
  const { position, at } = entry;
  return { id: String(position), position, event, at, text: sayPlainly(told.text), facts: told.facts };
}

export function makeTestNotice(id: string, name: string, at: number): Notice {
  const text = sayPlainly(`This is a test of the webhook "${name}" of Gatehouse.`);
  return { id, position: 0, event: webhookTestEvent, at, text, facts: { webhook: { name } } };
}

/** Which entries are news, by their action. Other versions wrote details too: every field is taken as it is found. */
const tellers: Readonly<Record<string, (entry: AuditRecord) => Told | undefined>> = {
  "alert.opened": (entry) => tellAlerts(entry, "opened"),
  "alert.recovered": (entry) => tellAlerts(entry, "recovered"),
  "plan.created": (entry) => (textOf(entry.detail?.["state"]) === "in_review" ? tellWaiting(entry) : undefined),
  "plan.offered": tellWaiting,
  "task.ended": tellRolledBack,
  "plugin.rejected": tellRejected,
  "audit.check_failed": tellBroken,
};

function tellAlerts({ detail = {} }: AuditRecord, turn: "opened" | "recovered"): Told | undefined {
  // What somebody has silenced is not for anybody's night.
  const alerts = listOf(detail["alerts"]).filter((alert) => alert["silenced"] !== true);
  if (alerts.length === 0) return undefined;
  const [name, kind, condition] = [textOf(detail["name"]), textOf(detail["kind"]), textOf(detail["condition"])];
  const hosts = sayHosts(alerts.map((alert) => textOf(alert["name"])));
  const isOffline = kind === "offline";
  const shown = alerts.slice(0, deliveryLimits.shownHosts).map((alert) => ({
    id: textOf(alert["id"]),
    node: { id: textOf(alert["node"]), name: textOf(alert["name"]) },
    value: typeof alert["value"] === "number" ? alert["value"] : null,
    ...(typeof alert["since"] === "number" && { since: isoOf(alert["since"]) }),
  }));
  const facts = {
    rule: { id: textOf(detail["rule"]), name, kind, condition },
    alerts: shown,
    moreAlerts: alerts.length - shown.length,
  };
  if (turn === "opened") {
    const text = isOffline
      ? `${hosts} ${alerts.length === 1 ? "is" : "are"} offline.`
      : `Alert "${name}" on ${hosts}: ${condition}.`;
    return { events: isOffline ? ["node.offline", "alert.opened"] : ["alert.opened"], text, facts };
  }
  const text = isOffline
    ? `${hosts} ${alerts.length === 1 ? "is" : "are"} back.`
    : `Alert "${name}" is over on ${hosts}.`;
  return { events: isOffline ? ["node.online", "alert.recovered"] : ["alert.recovered"], text, facts };
}

function tellWaiting({ subject, detail = {} }: AuditRecord): Told {
  const title = textOf(detail["title"]);
  return {
    events: ["plan.waiting"],
    text: `The plan "${title}" waits for approval.`,
    facts: { plan: { id: behindSlash(subject), title, digest: textOf(detail["digest"]) } },
  };
}

const endsWithoutChange: Readonly<Record<string, string>> = {
  rolled_back: "took a change back",
  failed_after_change: "was changed and is not wholly restored: look at it now",
};

function tellRolledBack({ subject, detail = {} }: AuditRecord): Told | undefined {
  const state = textOf(detail["state"]);
  const said = Object.hasOwn(endsWithoutChange, state) ? endsWithoutChange[state] : undefined;
  if (said === undefined) return undefined;
  const name = textOf(detail["name"]);
  // What the host said of it is not repeated in the sentence: it has a field of its own.
  return {
    events: ["plan.rolled_back"],
    text: `${name} ${said}.`,
    facts: {
      plan: { id: textOf(detail["plan"]), digest: textOf(detail["digest"]) },
      node: { id: behindSlash(subject), name },
      state,
      code: textOf(detail["code"]),
      detail: textOf(detail["detail"]).slice(0, deliveryLimits.textCharacters),
    },
  };
}

function tellRejected({ detail = {} }: AuditRecord): Told | undefined {
  const rejections = listOf(detail["rejections"]).map((one) => ({
    name: textOf(one["name"]),
    code: textOf(one["code"]),
    detail: textOf(one["detail"]),
  }));
  if (rejections.length === 0) return undefined;
  const more = typeof detail["more"] === "number" ? detail["more"] : 0;
  const named = sayHosts(rejections.map(({ name, code }) => `${name} (${code})`));
  const text = `The server found plugins that it rejects: ${named}.`;
  return { events: ["plugin.rejected"], text, facts: { rejections, more } };
}

function tellBroken({ detail = {} }: AuditRecord): Told {
  const [file, expected, found] = [textOf(detail["file"]), textOf(detail["expected"]), textOf(detail["found"])];
  const position = typeof detail["position"] === "number" ? detail["position"] : 0;
  return {
    events: ["chain.broken"],
    text: `The audit log was found damaged or edited: ${file}, position ${position}.`,
    facts: { file, position, expected, found },
  };
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function listOf(value: Json | undefined): JsonObject[] {
  if (!Array.isArray(value)) return [];
  return (value as Json[]).filter(
    (one): one is JsonObject => typeof one === "object" && one !== null && !Array.isArray(one),
  );
}

function behindSlash(subject: string): string {
  return subject.slice(subject.indexOf("/") + 1);
}

function isoOf(ms: number): string | null {
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : null;
}
