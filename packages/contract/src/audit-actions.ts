/**
 * Every action that the server and its offline verbs write into the audit log. Whoever shows the log has words for each;
 * `tools/audit-actions.test.ts` compares the list with the sources that write.
 */
export const auditActions = [
  "audit.pruned",
  "auth.keys_swept",
  "auth.password_changed",
  "auth.proof_refused",
  "auth.session_ended",
  "auth.sessions_ended",
  "auth.sign_in_refused",
  "auth.signed_in",
  "auth.signed_out",
  "auth.stepped_up",
  "auth.swept",
  "plugin.activated",
  "plugin.activation_failed",
  "plugin.asked",
  "plugin.disabled",
  "plugin.installed",
  "plugin.kv_removed",
  "plugin.kv_written",
  "plugin.superseded",
  "plugin.verified",
  "state.recovered",
  "store.end_cut",
  "token.issued",
  "token.revoked",
  "user.changed",
  "user.created",
  "user.password_reset",
  "user.removed",
  "witness.key_made",
] as const;

export type AuditAction = (typeof auditActions)[number];
