/**
 * Audit: lets those who may read it search the audit log and verify its chain, checks all of it in the background, and
 * forgets what is older than it is to be kept. Never writes to it but what these find and do: whoever changes something
 * writes the record of it in the same commit.
 */
export { type AuditCheck, openAuditCheck } from "./open-audit-check.ts";
export { openRetention } from "./open-retention.ts";
export { type AuditDeps, auditRoutes } from "./routes.ts";
