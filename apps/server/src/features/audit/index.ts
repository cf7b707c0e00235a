/**
 * Audit: lets those who may read it search the audit log and verify its chain, and checks all of it in the background.
 * Never writes to it but what that check finds: whoever changes something writes the record of it in the same commit.
 */
export { type AuditCheck, openAuditCheck } from "./open-audit-check.ts";
export { type AuditDeps, auditRoutes } from "./routes.ts";
