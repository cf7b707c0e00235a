import type { AuditAction, Scope } from "@gatehouse/contract";
import type { AuditEntryView } from "@gatehouse/contract/routes";

/** An entry of the audit log as a sentence without its actor: "accepted", the object, "2.4.0". */
export interface Saying {
  /** The object did it itself, as a host that enrols: it is the actor of the sentence. */
  readonly isOwn: boolean;
  readonly verb: string;
  /** What it was done to; `null` when the verb says it. */
  readonly object: string | null;
  readonly rest: string | null;
  /** Where the object can be seen, and the scope that opens it. */
  readonly place: { readonly href: string; readonly scope: Scope } | null;
}

type Words = {
  verb: string;
  /** The verb says it all: whoever did it is also whom it was about. */
  alone?: boolean;
  /** The verb when the object did it itself. */
  own?: string;
  rest?: (detail: Readonly<Record<string, unknown>>) => string | null;
};

const version = (detail: Readonly<Record<string, unknown>>): string | null => textOf(detail["version"]);

const words: Readonly<Record<AuditAction, Words>> = {
  "plugin.verified": { verb: "verified", rest: version },
  "plugin.rejected": {
    verb: "looked at the plugin directory anew",
    rest: (d) => {
      const count = Array.isArray(d["rejections"]) ? d["rejections"].length + (Number(d["more"]) || 0) : 0;
      return count === 0 ? "and rejects none any more" : `and rejected ${count} ${count === 1 ? "bundle" : "bundles"}`;
    },
    alone: true,
  },
  "plugin.superseded": { verb: "closed", rest: (d) => `${version(d) ?? ""}: other bytes took its place`.trim() },
  "plugin.installed": { verb: "accepted", rest: version },
  "plugin.activated": { verb: "activated", rest: version },
  "plugin.disabled": { verb: "disabled", rest: reasonAfter(version) },
  "plugin.activation_failed": { verb: "could not activate", rest: reasonAfter(version) },
  "plugin.asked": { verb: "asked", rest: reasonAfter((d) => `for ${textOf(d["action"]) ?? "an answer"}`) },
  "plugin.answered": { verb: "heard from", rest: reasonAfter((d) => `on ${textOf(d["action"]) ?? "a question"}`) },
  "plugin.armed": { verb: "armed", rest: version },
  "plugin.detached": { verb: "detached", rest: reasonAfter(version) },
  "plugin.breaker_opened": { verb: "opened the breaker of", rest: reasonAfter(version) },
  "plugin.breaker_closed": { verb: "closed the breaker of", rest: version },
  "plugin.kv_written": { verb: "wrote its stored values", alone: true },
  "plugin.kv_removed": { verb: "removed a stored value", alone: true },
  "auth.signed_in": { verb: "signed in", alone: true },
  "auth.signed_out": { verb: "signed out", alone: true },
  "auth.sign_in_refused": { verb: "was refused at sign-in as" },
  "auth.stepped_up": { verb: "confirmed the password", alone: true },
  "auth.password_changed": { verb: "changed the password", alone: true },
  "auth.session_ended": { verb: "ended a session", alone: true },
  "auth.sessions_ended": { verb: "ended the other sessions", alone: true },
  "auth.proof_refused": { verb: "was refused when confirming the password", alone: true },
  "auth.swept": { verb: "cleared ended sessions and tokens", alone: true },
  "auth.keys_swept": { verb: "cleared old request keys", alone: true },
  "user.created": { verb: "created the user" },
  "user.changed": { verb: "changed the user" },
  "user.password_reset": { verb: "reset the password of" },
  "user.removed": { verb: "removed the user" },
  "token.issued": { verb: "issued the token" },
  "token.revoked": { verb: "revoked the token" },
  "enrolment.created": {
    verb: "made enrolment codes",
    rest: (d) =>
      Array.isArray(d["ids"]) ? `for ${d["ids"].length} ${d["ids"].length === 1 ? "host" : "hosts"}` : null,
    alone: true,
  },
  "enrolment.revoked": { verb: "revoked an enrolment code", alone: true },
  "node.enrolled": { verb: "enrolled the node", own: "enrolled" },
  "node.event": { verb: "heard from", own: "reported", rest: (d) => textOf(d["what"]) },
  "node.changed": { verb: "changed the node" },
  "node.channel_key_changed": { verb: "changed the channel key of", own: "changed its channel key" },
  "node.drifted": {
    verb: "found parts that differ on",
    own: "differs from what was confirmed",
    rest: (d) => partsOf(d["parts"]),
  },
  "node.drift_ended": {
    verb: "found parts as confirmed again on",
    own: "is as confirmed again",
    rest: (d) => partsOf(d["parts"]),
  },
  "node.facts_changed": { verb: "heard new facts of", own: "told new facts of itself" },
  "node.revoked": { verb: "revoked the node" },
  "node.removed": { verb: "removed the node" },
  "alert.acknowledged": { verb: "acknowledged an alert of the node", rest: noteOf },
  "alert.opened": { verb: "opened an alert of the rule", rest: alertedNodes },
  "alert.recovered": {
    verb: "ended an alert of the rule",
    rest: (d) => `${alertedNodes(d) ?? ""} (${textOf(d["because"]) ?? "recovered"})`.trim(),
  },
  "alert.rule_changed": { verb: "changed the alert rule", rest: (d) => textOf(d["condition"]) },
  "alert.rule_created": { verb: "made the alert rule", rest: (d) => textOf(d["condition"]) },
  "alert.rule_removed": { verb: "removed the alert rule" },
  "alert.silence_ended": { verb: "ended a silence", alone: true },
  "alert.silenced": { verb: "silenced alerts", alone: true, rest: ownWords },
  "artifact.announced": { verb: "announced the artifact", rest: (d) => textOf(d["version"]) },
  "artifact.kept": { verb: "brought the whole of the artifact", rest: (d) => textOf(d["version"]) },
  "artifact.part_kept": { verb: "brought a part of the artifact", rest: (d) => textOf(d["version"]) },
  "artifact.refused": { verb: "brought other bytes than announced of the artifact", rest: (d) => textOf(d["version"]) },
  "artifact.removed": { verb: "removed the artifact", rest: (d) => textOf(d["version"]) },
  "plan.created": { verb: "made the plan" },
  "plan.offered": { verb: "offered for review the plan" },
  "plan.rejected": { verb: "rejected the plan", rest: ownWords },
  "plan.withdrawn": { verb: "withdrew the plan", rest: ownWords },
  "plan.approved": {
    verb: "approved the plan",
    rest: (d) => (d["kind"] === "server" ? "for hosts that trust this server" : null),
  },
  "plan.started": { verb: "started the plan", rest: (d) => (d["again"] === true ? "again" : null) },
  "plan.halted": { verb: "halted the plan", rest: (d) => textOf(d["reason"]) },
  "plan.done": { verb: "ended the plan", rest: () => "every host has answered" },
  "task.sent": { verb: "sent a plan to the node" },
  "task.outcome_ignored": {
    verb: "did not believe the node",
    own: "told of a task that it cannot end",
    rest: (d) => textOf(d["why"]),
  },
  "task.ended": {
    verb: "got an answer to a plan from the node",
    own: "ended its task of a plan",
    rest: (d) => `(${textOf(d["code"]) ?? String(d["state"])})`,
  },
  "plan.expired": { verb: "closed the plan", rest: (d) => textOf(d["reason"]) },
  "plan.forgotten": { verb: "cleared plans that ended long ago", alone: true },
  "task.cleared": { verb: "cleared the tasks of a plan that ended", alone: true },
  "task.queued": { verb: "queued the tasks of a plan", alone: true },
  "settings.changed": { verb: "changed the settings of the server", alone: true },
  "settings.plans_stopped": { verb: "stopped all plans", alone: true, rest: ownWords },
  "audit.archive_rebuilt": { verb: "made the search of the audit log anew", alone: true },
  "audit.check_failed": { verb: "found that the audit log is not as it was written", alone: true },
  "audit.pruned": { verb: "removed old entries of the log", alone: true },
  "state.recovered": { verb: "recovered the state", alone: true },
  "store.end_cut": { verb: "cut the torn end of the log", alone: true },
  "webhook.created": { verb: "added the webhook", rest: originOf },
  "webhook.changed": { verb: "changed the webhook", rest: originOf },
  "webhook.removed": { verb: "removed the webhook", rest: originOf },
  "webhook.secret_renewed": { verb: "made a new secret for the webhook" },
  "webhook.failing": { verb: "could not reach the webhook", rest: (d) => textOf(d["reason"]) },
  "webhook.recovered": { verb: "reached again the webhook" },
  "witness.key_made": { verb: "made the key that signs the head of the log", alone: true },
  "witness.line_begun": {
    verb: "began another line of signed heads because the log is not the one that was signed",
    alone: true,
  },
  "witnessed.agreed": { verb: "heard that the log is believed again by", own: "believes the log of the server again" },
  "witnessed.refused": {
    verb: "heard that the log is not believed by",
    own: "does not believe the log of the server",
    rest: (d) => `because ${textOf(d["reason"]) ?? "it saw another"}`,
  },
};

/** Says what happened. An action that has no words yet is named as it is; nothing is left out. */
export function sayEntry({ actor, action, subject, detail }: AuditEntryView, nameOf: (id: string) => string): Saying {
  const known = wordsOf(action);
  const [noun = "", ...more] = subject.split("/");
  const id = more.join("/");
  const isOwn = known?.own !== undefined && actor === `${noun}:${id}`;
  if (known === undefined) return { isOwn, verb: action, object: subject, rest: null, place: null };
  const rest = known.rest?.(detail) ?? null;
  if (known.alone === true) return { isOwn, verb: known.verb, object: null, rest, place: null };
  const name = textOf(detail["username"]) ?? textOf(detail["name"]) ?? textOf(detail["title"]);
  const object = name ?? nameOf(id === "" ? subject : id);
  return {
    isOwn,
    verb: (isOwn ? known.own : undefined) ?? known.verb,
    object: noun === "plugin" ? id : object,
    rest,
    place: placeOfEntry(action, detail, placeOf(noun, id)),
  };
}

/** Where somebody looks for what was done to a task or to an alert: neither has a page of its own. */
function placeOfEntry(
  action: string,
  detail: Readonly<Record<string, unknown>>,
  own: Saying["place"],
): Saying["place"] {
  if (action.startsWith("task.")) return placeOf("plan", textOf(detail["plan"]) ?? "");
  return action === "alert.acknowledged" ? placeOf("node", textOf(detail["node"]) ?? "") : own;
}

function placeOf(noun: string, id: string): Saying["place"] {
  if (id === "") return null;
  if (noun === "plugin") return { href: `/plugins/${encodeURIComponent(id)}`, scope: "plugin:admin" };
  if (noun === "plan") return { href: `/plans/${encodeURIComponent(id)}`, scope: "plan:read" };
  if (noun === "alert-rule") return { href: `/alerts?rule=${encodeURIComponent(id)}`, scope: "node:read" };
  if (noun === "artifact") return { href: `/artifacts?artifact=${encodeURIComponent(id)}`, scope: "plan:read" };
  if (noun === "node") return { href: `/nodes/${encodeURIComponent(id)}`, scope: "node:read" };
  return null;
}

/** The same thing done again and again is one line with a count. Entries come the newest first. */
export function foldRepeats(entries: readonly AuditEntryView[]): { entry: AuditEntryView; times: number }[] {
  const folded: { entry: AuditEntryView; times: number }[] = [];
  for (const entry of entries) {
    const last = folded.at(-1);
    if (last !== undefined && keyOf(last.entry) === keyOf(entry)) last.times += 1;
    else folded.push({ entry, times: 1 });
  }
  return folded;
}

/** A sign-in has its session for a subject, which is another one each time. */
function keyOf({ actor, action, subject, outcome, detail }: AuditEntryView): string {
  const object = wordsOf(action)?.alone === true ? null : subject;
  return JSON.stringify([actor, action, object, outcome, detail["action"] ?? null, detail["version"] ?? null]);
}

function wordsOf(action: string): Words | undefined {
  return Object.hasOwn(words, action) ? words[action as AuditAction] : undefined;
}

/** "on web-1 and 3 more" */
function alertedNodes(detail: Readonly<Record<string, unknown>>): string | null {
  const alerts = Array.isArray(detail["alerts"]) ? (detail["alerts"] as readonly { readonly name?: unknown }[]) : [];
  const first = textOf(alerts[0]?.name);
  if (first === null) return null;
  return alerts.length === 1 ? `on ${first}` : `on ${first} and ${alerts.length - 1} more`;
}

function noteOf(detail: Readonly<Record<string, unknown>>): string | null {
  const note = textOf(detail["note"]);
  return note === null ? null : `“${note}”`;
}

function originOf(detail: Readonly<Record<string, unknown>>): string | null {
  const origin = textOf(detail["origin"]);
  return origin === null ? null : `at ${origin}`;
}

/** What somebody wrote as the reason, told apart from the words around it. */
function ownWords(detail: Readonly<Record<string, unknown>>): string | null {
  const reason = textOf(detail["reason"]);
  return reason === null ? null : `“${reason}”`;
}

function reasonAfter(first: (detail: Readonly<Record<string, unknown>>) => string | null) {
  return (detail: Readonly<Record<string, unknown>>): string | null => {
    const parts = [first(detail), textOf(detail["reason"])].filter((part) => part !== null);
    return parts.length === 0 ? null : parts.join(": ");
  };
}

/** Parts of a host, the first of them by name. */
function partsOf(value: unknown): string | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const more = value.length > 1 ? ` and ${value.length - 1} more` : "";
  return `at ${String(value[0])}${more}`;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
