import type { AuditAction, AuditNoun } from "@gatehouse/contract";
import type { AuditEntryView } from "@gatehouse/contract/routes";
import type { State } from "../ui/StateMark.tsx";

/**
 * What an action is called. A name, not a verb in the past: whether it happened, the outcome says, and "activated, failed"
 * would say two things.
 */
const names: Readonly<Record<AuditAction, string>> = {
  "alert.acknowledged": "Alert acknowledged",
  "alert.opened": "Alert",
  "alert.recovered": "End of an alert",
  "alert.rule_changed": "Alert rule change",
  "alert.rule_created": "Alert rule made",
  "alert.rule_removed": "Alert rule removal",
  "alert.silence_ended": "End of a silence",
  "alert.silenced": "Alerts silenced",
  "audit.archive_rebuilt": "Audit search made anew",
  "audit.check_failed": "Audit log found damaged or edited",
  "audit.pruned": "Old entries removed",
  "auth.keys_swept": "Old request keys cleared",
  "auth.password_changed": "Password change",
  "auth.proof_refused": "Wrong password when confirming",
  "auth.session_ended": "Session ended by its owner",
  "auth.sessions_ended": "Other sessions ended",
  "auth.sign_in_refused": "Sign-in attempt",
  "auth.signed_in": "Sign-in",
  "auth.signed_out": "Sign-out",
  "auth.stepped_up": "Password confirmed",
  "auth.swept": "Ended sessions and tokens cleared",
  "enrolment.created": "Enrolment codes made",
  "enrolment.revoked": "Enrolment code revoked",
  "node.changed": "Node change",
  "node.channel_key_changed": "Channel key of a node changed",
  "node.drift_ended": "Node as confirmed again",
  "node.drifted": "Node differs from what was confirmed",
  "node.enrolled": "Enrolment of a node",
  "node.event": "Word from a node",
  "node.facts_changed": "Facts of a node changed",
  "node.removed": "Node removal",
  "node.revoked": "Node revocation",
  "artifact.announced": "Artifact announced",
  "artifact.kept": "Artifact whole",
  "artifact.part_kept": "Part of an artifact",
  "artifact.refused": "Artifact refused",
  "artifact.removed": "Artifact removed",
  "plan.approved": "Plan approval",
  "plan.created": "Plan made",
  "plan.done": "Plan done",
  "plan.expired": "Plan expired",
  "plan.forgotten": "Ended plans cleared",
  "plan.halted": "Plan halted",
  "plan.offered": "Plan offered for review",
  "plan.rejected": "Plan rejection",
  "plan.started": "Plan started",
  "plan.withdrawn": "Plan withdrawal",
  "plugin.activated": "Plugin activation",
  "plugin.activation_failed": "Plugin activation",
  "plugin.answered": "Answer of a plugin",
  "plugin.armed": "Plugin runtime armed",
  "plugin.asked": "Question to a plugin",
  "plugin.breaker_closed": "Plugin breaker closed",
  "plugin.breaker_opened": "Plugin breaker opened",
  "plugin.detached": "Plugin runtime detached",
  "plugin.disabled": "Plugin disabled",
  "plugin.installed": "Plugin acceptance",
  "plugin.kv_removed": "Value removed by a plugin",
  "plugin.kv_written": "Value written by a plugin",
  "plugin.rejected": "Rejected bundles at the start",
  "plugin.superseded": "Plugin superseded",
  "plugin.verified": "Plugin verification",
  "settings.changed": "Settings change",
  "settings.plans_stopped": "Stop of all plans",
  "state.recovered": "State recovery",
  "store.end_cut": "Torn end of the log cut",
  "task.ended": "Answer of a host to a plan",
  "task.sent": "Plan sent to a host",
  "task.outcome_ignored": "Word of a host that ended no task",
  "task.cleared": "Tasks of an ended plan cleared",
  "task.queued": "Tasks of a plan queued",
  "token.issued": "Token issue",
  "token.revoked": "Token revocation",
  "user.changed": "User change",
  "user.created": "User creation",
  "user.password_reset": "Password reset",
  "user.removed": "User removal",
  "webhook.changed": "Webhook change",
  "webhook.created": "Webhook added",
  "webhook.failing": "Notices to a webhook",
  "webhook.recovered": "Webhook takes notices again",
  "webhook.removed": "Webhook removal",
  "webhook.secret_renewed": "New secret of a webhook",
  "witness.key_made": "Witness key made",
  "witness.line_begun": "Another line of signed heads",
  "witnessed.agreed": "Log believed again",
  "witnessed.refused": "Log not believed",
};

/** An action that is not in the table is still readable: `node.seen` becomes "Node: seen". */
export function actionWords(action: string): string {
  const known = isKnown(action) ? names[action] : undefined;
  if (known !== undefined) return known;
  const dot = action.indexOf(".");
  if (dot < 1) return action;
  const noun = action.slice(0, dot);
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}: ${action.slice(dot + 1).replaceAll("_", " ")}`;
}

function isKnown(action: string): action is AuditAction {
  return Object.hasOwn(names, action);
}

export const knownActions: readonly string[] = Object.keys(names);

/** What all actions of a noun are called in a filter. */
export const actionNouns: Readonly<Record<`${AuditNoun}.`, string>> = {
  "alert.": "Alerts",
  "artifact.": "Artifacts",
  "auth.": "Signing in and sessions",
  "user.": "Users",
  "token.": "Tokens",
  "node.": "Nodes",
  "enrolment.": "Enrolment codes",
  "plan.": "Plans",
  "task.": "Plans on each host",
  "plugin.": "Plugins",
  "settings.": "Settings of the server",
  "audit.": "The audit log itself",
  "store.": "The store",
  "state.": "Recoveries of the state",
  "webhook.": "Webhooks",
  "witness.": "The witness of the log",
  "witnessed.": "What hosts hold of the log",
};

/** `refused`: a check said no. `failed`: it was allowed and did not work. */
export const outcomes: Readonly<Record<AuditEntryView["outcome"], { state: State; word: string; says: string }>> = {
  done: { state: "ok", word: "Done", says: "It happened." },
  refused: { state: "refused", word: "Refused", says: "A check said no; nothing was changed." },
  failed: { state: "bad", word: "Failed", says: "It was allowed, and did not work." },
};
