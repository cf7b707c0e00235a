/**
 * Audit: lets those who may read it search the audit log and verify its chain.
 * Never writes to it: whoever changes something writes the record of it in the same commit.
 */
export { type AuditCheck, openAuditCheck } from "./open-audit-check.ts";
export { type AuditDeps, auditRoutes } from "./routes.ts";
