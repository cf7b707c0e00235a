/**
 * Every scope there is: what it lets its holder do, and the roles that hold it. A route that asks for a scope names one
 * of these; a token holds a subset of its owner's.
 */
export const scopes = {
  "node:read": {
    says: "See hosts, their state and their metrics.",
    roles: ["owner", "operator", "approver", "auditor", "viewer"],
  },
  "plan:read": {
    says: "See plans, their reviews and their results.",
    roles: ["owner", "operator", "approver", "auditor", "viewer"],
  },
  "log:read": { says: "Search the logs of hosts.", roles: ["owner", "operator", "approver", "auditor", "viewer"] },
  "audit:read": {
    says: "Read the audit log and verify its chain.",
    roles: ["owner", "operator", "approver", "auditor"],
  },
  "plugin:invoke": { says: "Ask an active plugin to describe, report health or plan.", roles: ["owner", "operator"] },
  "plan:create": { says: "Draw up a plan; nothing changes by it.", roles: ["owner", "operator"] },
  "plan:apply": { says: "Start a plan that others have approved.", roles: ["owner", "operator"] },
  "node:admin": { says: "Enrol, rename, tag and remove hosts.", roles: ["owner", "operator"] },
  "storage:read": { says: "Read stored values and sites.", roles: ["owner", "operator"] },
  "storage:write": { says: "Write stored values and upload sites.", roles: ["owner", "operator"] },
  "terminal:open": { says: "Open a terminal on a host that allows it.", roles: ["owner", "operator"] },
  "terminal:watch": {
    says: "Watch a live terminal, end it, and replay its recording.",
    roles: ["owner", "approver", "auditor"],
  },
  "plan:approve": { says: "Approve the exact bytes of a plan.", roles: ["owner", "approver"] },
  "plan:stop": {
    says: "Stop all plans at once: nothing more is begun on any host.",
    roles: ["owner", "operator", "approver"],
  },
  "plugin:admin": { says: "Move plugins through their lifecycle.", roles: ["owner"] },
  "storage:admin": { says: "Bind hostnames and issue storage tokens.", roles: ["owner"] },
  "user:admin": { says: "Create, change and remove users.", roles: ["owner"] },
  "token:admin": { says: "See and revoke the tokens of others.", roles: ["owner"] },
  "settings:admin": { says: "Change the settings of this server.", roles: ["owner"] },
} as const satisfies Record<string, { says: string; roles: readonly Role[] }>;

export const roles = ["owner", "operator", "approver", "auditor", "viewer"] as const;
export type Role = (typeof roles)[number];
export type Scope = keyof typeof scopes;

export const scopeNames = Object.keys(scopes) as readonly Scope[];

export function isScope(name: string): name is Scope {
  return Object.hasOwn(scopes, name);
}

export function scopesOfRole(role: Role): readonly Scope[] {
  return scopeNames.filter((scope) => (scopes[scope].roles as readonly Role[]).includes(role));
}
