/** What is known of the audit log: nothing yet, that all of it is as it was written, or that something is not. */
export const auditCheckStates = ["checking", "ok", "failed"] as const;
export type AuditCheckState = (typeof auditCheckStates)[number];
