import { type Scope, scopeNames } from "./scopes.ts";

export const tokenClasses = ["automation", "assistant"] as const;
export type TokenClass = (typeof tokenClasses)[number];

/**
 * What a program that talks to a language model may be trusted with: it reads and it plans; it never approves, applies,
 * opens a terminal or moves a plugin. Every scope is decided here: a new one does not compile until it is.
 */
const assistantMayHold: Readonly<Record<Scope, boolean>> = {
  "node:read": true,
  "plan:read": true,
  "log:read": true,
  "audit:read": true,
  "storage:read": true,
  "plugin:invoke": true,
  "plan:create": true,
  "plan:apply": false,
  "plan:approve": false,
  "plan:stop": false,
  "node:admin": false,
  "storage:write": false,
  "storage:admin": false,
  "terminal:open": false,
  // Watching includes ending somebody's session.
  "terminal:watch": false,
  "plugin:admin": false,
  "user:admin": false,
  "token:admin": false,
  "settings:admin": false,
};

export function scopesOfTokenClass(tokenClass: TokenClass): readonly Scope[] {
  return tokenClass === "automation" ? scopeNames : scopeNames.filter((scope) => assistantMayHold[scope]);
}
