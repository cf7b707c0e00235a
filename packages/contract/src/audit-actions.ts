import type { JsonObject } from "@gatehouse/base";
import type { AlertEnd, AlertKind, AlertNodes } from "./alerts.ts";
import type { Capability } from "./capabilities.ts";
import type { HandPlace } from "./places.ts";
import type { PlanState, TaskState } from "./plan-states.ts";
import type { ActionName, BrokerMethod, LifecycleState } from "./plugin-names.ts";
import type { Role, Scope } from "./scopes.ts";
import type { TokenClass } from "./token-classes.ts";
import type { WebhookEvent } from "./webhooks.ts";
import type { WitnessCode } from "./witness-words.ts";

/**
 * Every action that the server and its offline verbs write into the audit log, with the form of its detail. Nothing else
 * can be written: `Store.commit` takes an `AuditEntry`. Every action has a detail, and none holds a secret.
 */
export const auditActions = {
  "alert.acknowledged": detail<{ alert: string; rule: string; node: string; name: string; note?: string }>(),
  "alert.opened": detail<AlertsOfRule & { alerts: readonly ToldAlert[] }>(),
  "alert.recovered": detail<AlertsOfRule & { because: AlertEnd; alerts: readonly (ToldAlert & { since: number })[] }>(),
  "alert.rule_changed": detail<RuleWords & { from: RuleWords }>(),
  "alert.rule_created": detail<RuleWords>(),
  "alert.rule_removed": detail<RuleWords>(),
  "alert.silence_ended": detail<Silence & { expired: boolean }>(),
  "alert.silenced": detail<Silence>(),
  "artifact.announced": detail<ArtifactFacts & { size: number; keyId: string; publisher?: string }>(),
  "artifact.kept": detail<ArtifactFacts>(),
  "artifact.part_kept": detail<ArtifactFacts & { number: number; part: string }>(),
  "artifact.refused": detail<ArtifactFacts & { found: string }>(),
  "artifact.removed": detail<ArtifactFacts & { reason?: string }>(),
  "audit.archive_rebuilt": detail<NotAsWritten & { kept?: string }>(),
  "audit.check_failed": detail<NotAsWritten>(),
  "audit.pruned": detail<{ position: number; link: string }>(),
  "auth.keys_swept": detail<{ records: number }>(),
  "auth.password_changed": detail<Ended>(),
  "auth.proof_refused": detail<Refused>(),
  "auth.session_ended": detail<Ended>(),
  "auth.sessions_ended": detail<Ended>(),
  "auth.sign_in_refused": detail<Refused>(),
  "auth.signed_in": detail<Ended & { username: string; userAgent: string }>(),
  "auth.signed_out": detail<Ended>(),
  "auth.stepped_up": detail<Ended>(),
  "auth.swept": detail<Ended>(),
  "enrolment.created": detail<{ ids: readonly string[]; name?: string; tags: readonly string[]; expiresAt: number }>(),
  "enrolment.revoked": detail<{ name?: string; tags: readonly string[] }>(),
  "node.changed": detail<{ name: string; from: NodeLabels; to: NodeLabels }>(),
  "node.channel_key_changed": detail<{ name: string; channelKey: string }>(),
  "node.drift_ended": detail<{ name: string; parts: readonly string[]; left: number }>(),
  "node.drifted": detail<{ name: string; parts: readonly string[]; differ: number; unread: number }>(),
  "node.enrolled": detail<{ name: string; hostname: string; enrolment: string; again: boolean }>(),
  "node.event": detail<{ name: string; what: string; hostTime: number; seq: number; detail?: string }>(),
  "node.facts_changed": detail<{ name: string; changed: readonly string[]; ceilingDigest: string }>(),
  "node.removed": detail<{ name: string; hostname: string }>(),
  "node.revoked": detail<{ name: string; hostname: string }>(),
  "plan.approved": detail<
    PlanBytes & { approval: string; kind: "signed" | "server"; keyId?: string; awaiting: number; own: boolean }
  >(),
  "plan.created": detail<
    PlanBytes & { nodes: number; kinds: readonly string[]; state: PlanState; refusals: number; replaces?: string }
  >(),
  "plan.done": detail<PlanBytes & { ended: Readonly<Record<string, number>> }>(),
  "plan.expired": detail<PlanBytes & { from: PlanState; reason: string }>(),
  "plan.forgotten": detail<{ plans: number }>(),
  "plan.halted": detail<PlanBytes & { reason: string }>(),
  "plan.offered": detail<PlanBytes & { from: PlanState }>(),
  "plan.rejected": detail<PlanBytes & { from: PlanState; reason: string }>(),
  "plan.started": detail<PlanBytes & { tasks: number; again: boolean; waves?: number }>(),
  "plan.withdrawn": detail<PlanBytes & { from: PlanState; reason?: string }>(),
  "plugin.activated": detail<PluginBytes & { from: LifecycleState; to: "active" }>(),
  "plugin.activation_failed": detail<PluginBytes & { from: LifecycleState; to: "disabled"; reason: string }>(),
  "plugin.answered": detail<Answered>(),
  "plugin.armed": detail<PluginBytes & { occasion: "activation" | "start"; sandbox: string }>(),
  "plugin.asked": detail<Asked>(),
  "plugin.breaker_closed": detail<BreakerTurn>(),
  "plugin.breaker_opened": detail<BreakerTurn & { reason: string }>(),
  "plugin.detached": detail<PluginBytes & { occasion: "activation" | "disabling" | "stop"; reason?: string }>(),
  "plugin.disabled": detail<PluginBytes & { from: LifecycleState; to: "disabled"; reason?: string }>(),
  "plugin.installed": detail<
    PluginBytes & { from: LifecycleState; to: "installed"; downgrade?: true; reason?: string }
  >(),
  "plugin.kv_removed": detail<StoredValue>(),
  "plugin.kv_written": detail<StoredValue>(),
  "plugin.rejected": detail<{ rejections: readonly RejectedBundle[]; more: number }>(),
  "plugin.superseded": detail<PluginBytes & { from: LifecycleState; to: null; reason: string }>(),
  "plugin.verified": detail<PluginBytes & { from: null; to: "verified"; change?: OtherBytes }>(),
  "settings.changed": detail<{ changed: readonly string[]; selfApproval: boolean; stopped: boolean }>(),
  "settings.plans_stopped": detail<{ reason: string }>(),
  "state.recovered": detail<Recovered>(),
  "store.end_cut": detail<{ bytes: number; sha256: string }>(),
  "task.cleared": detail<{ plan: string; tasks: number }>(),
  "task.ended": detail<{
    plan: string;
    digest: string;
    name: string;
    state: TaskState;
    code?: string;
    detail?: string;
    foreign?: readonly string[];
    hostTime?: number;
  }>(),
  "task.outcome_ignored": detail<{
    task: string;
    digest: string;
    approval: string;
    state: TaskState;
    hostTime: number;
    why: string;
  }>(),
  "task.queued": detail<{ plan: string; digest: string; tasks: number }>(),
  "task.sent": detail<{ plan: string; digest: string; name: string; approval: string }>(),
  "token.issued": detail<Ended & Issued>(),
  "token.revoked": detail<Ended & { name: string }>(),
  "user.changed": detail<Ended & { username: string; from: UserState; to: UserState }>(),
  "user.created": detail<{ userId: string; username: string; role: Role; first?: true }>(),
  "user.password_reset": detail<Ended & { username: string; enabled: boolean }>(),
  "user.removed": detail<Ended & { username: string; role: Role }>(),
  "webhook.changed": detail<WebhookTerms & { changed: readonly string[]; enabled: boolean }>(),
  "webhook.created": detail<WebhookTerms>(),
  "webhook.failing": detail<{ name: string; origin: string; reason: string }>(),
  "webhook.recovered": detail<{ name: string; origin: string; since: number }>(),
  "webhook.removed": detail<{ name: string; origin: string }>(),
  "webhook.secret_renewed": detail<{ name: string; origin: string }>(),
  "witness.key_made": detail<{ server: string }>(),
  "witness.line_begun": detail<{ after: number; position: number; reason: string }>(),
  "witnessed.agreed": detail<{ name: string; code: WitnessCode; since: number }>(),
  "witnessed.refused": detail<{ name: string; code: WitnessCode; position?: number; reason: string }>(),
} as const;

export const auditActionNames = Object.keys(auditActions) as readonly AuditAction[];

export type AuditAction = keyof typeof auditActions;

/** What an action's name begins with: `plugin` of `plugin.installed`. */
export type AuditNoun = AuditAction extends `${infer Noun}.${string}` ? Noun : never;

export type AuditDetail<Action extends AuditAction> = NonNullable<(typeof auditActions)[Action]["detail"]>;

/** Who did what to which thing, as it is written: the action decides the form of the detail. */
export type AuditEntry<Action extends AuditAction = AuditAction> = {
  readonly [One in Action]: AuditFacts & { readonly action: One; readonly detail: AuditDetail<One> };
}[Action];

/** What an entry says whatever its action. */
export interface AuditFacts {
  /** Milliseconds since 1970. Given by the caller: replay uses no clock. */
  readonly at: number;
  /** A user id, `token:<id>`, `plugin:<id>`, `node:<id>`, `anonymous`, `system` or `cli`. */
  readonly actor: string;
  /** What it was done to, as a record key or a name: `plugin/netguard`. */
  readonly subject: string;
  readonly outcome?: "done" | "refused" | "failed";
  readonly requestId?: string;
  readonly address?: string;
}

/** A row carries its detail's form for the compiler only; at run time the table is its names. */
function detail<Form extends JsonObject>(): { readonly detail?: Readonly<Form> } {
  return {};
}

/** Which rule opened or ended alerts: its id, its name, and its condition in words. */
type AlertsOfRule = { rule: string; name: string; kind: AlertKind; condition: string };

/** One alert of many in an entry. Of one that is silenced nobody is told. */
type ToldAlert = { id: string; node: string; name: string; value: number | null; silenced: boolean };

type RuleWords = { rule: string; name: string; condition: string; enabled: boolean; appliesTo: AlertNodes };

type Silence = { silence: string; appliesTo: AlertNodes; rule: string | null; until: number; reason: string };

/** Which artifact: what is signed of it, as far as a reader asks for it. */
type ArtifactFacts = { name: string; version: string; architecture: string; sha256: string };

/** The user whom it concerns, and the sessions and tokens that ended by it. */
type Ended = { userId: string; ended: readonly string[] };

/** Attempts of about a minute, counted together; `throttled` of them were not judged. */
type Refused = { count: number; throttled: number; firstAt: number };

/** Which bytes of a plugin. */
type PluginBytes = {
  version: string;
  publisher: string;
  artifactSha256: string;
  payloadSha256: string;
  capabilities: readonly Capability[];
};

/** What differs from the bytes before. */
type OtherBytes = {
  from: { version: string; artifactSha256: string };
  to: { version: string; artifactSha256: string };
  addedCapabilities: readonly Capability[];
  removedCapabilities: readonly Capability[];
  downgrade: boolean;
};

/**
 * A question that is about to be put to a plugin: durable before anything of the plugin runs. `question` is also in the entry
 * of how it ended. Before 0.1.7 there was one entry, written afterwards, which also said what `Answered` says.
 */
type Asked = {
  question: string;
  action: ActionName;
  version: string;
  artifactSha256: string;
  /** Of a plan: over the whole question, its nodes included. */
  inputSha256?: string;
};

/** How an action of a plugin ended, and what it used of the broker: counted and named, never the values. */
type Answered = {
  /** Absent where the server asked by itself and the answer changed; then `was` and `is` say how. */
  question?: string;
  action: ActionName;
  version: string;
  artifactSha256: string;
  /** Absent where nobody knows, because the server ended in between. */
  ms?: number;
  calls?: readonly {
    method: BrokerMethod | "unknown";
    host?: string;
    count: number;
    refused: number;
    bytes: number;
  }[];
  /** Of what it drew up. Entries before 0.2.1 have a `planDigest` here: drafts had preconditions then. */
  draftDigest?: string;
  inputSha256?: string;
  was?: string;
  is?: string;
  reason?: string;
};

/** Which plan: its title is said for whoever reads the log when the plan is gone. */
type PlanBytes = { digest: string; title: string };

/** What the loader found in the plugin directory and did not take. */
type RejectedBundle = { name: string; code: string; detail: string };

/** The breaker of a plugin that runs. */
type BreakerTurn = { version: string; artifactSha256: string; failuresInARow: number };

/** A value that a plugin keeps: its key and its size, never itself. */
type StoredValue = { key: string; bytes: number; payloadSha256: string };

/** Something in a data file that is not as it was written. */
type NotAsWritten = { file: string; position: number; expected: string; found: string };

type Recovered = {
  findings: readonly { file: string; found: string; effect: string }[];
  /** Files that were set aside, not removed. */
  kept: readonly string[];
};

/** `nodes` is how many it is limited to; null is all. */
type Issued = {
  name: string;
  class: TokenClass;
  scopes: readonly Scope[];
  nodes: number | null;
  expiresAt: number;
};

/** What people call a node. Notes are not repeated here: whether they changed is. */
type NodeLabels = { name: string; tags: readonly string[]; notes: boolean; place: HandPlace | null };

/** Of the address only the origin: what follows may be a secret. */
type WebhookTerms = { name: string; origin: string; events: readonly WebhookEvent[] };

type UserState = { role: Role; disabled: boolean };
