/**
 * Auth: who somebody is and what they may do: users, passwords, sessions and tokens.
 * Never shows or logs a password, a session's value or a token, and never lets a token create a credential.
 */
export { ensureFirstAdmin, type FirstAdminDeps } from "./first-admin.ts";
export { type Identity, type IdentityDeps, openIdentity, type RequireRights } from "./open-identity.ts";
