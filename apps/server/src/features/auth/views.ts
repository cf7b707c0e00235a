import type { Session, User, WhoAmI } from "@gatehouse/contract/routes";
import { Reply, type ReplyHeaders } from "../../platform/route/index.ts";
import type { Principal } from "../../platform/route/index.ts";
import type { SessionRecord, UserRecord } from "@gatehouse/identity";
import type { Use } from "./uses.ts";

/** Records as they are shown. Fields are named one by one: what is not named here, a hash above all, cannot be shown. */
export function viewUser(user: UserRecord): User {
  return {
    id: user.id,
    username: user.username,
    role: user.role,
    disabled: user.disabled,
    createdAt: iso(user.createdAt),
    updatedAt: iso(user.updatedAt),
    passwordChangedAt: iso(user.passwordChangedAt),
  };
}

export function viewSession(session: SessionRecord, use: Use | undefined, currentId: string): Session {
  return {
    id: session.id,
    current: session.id === currentId,
    createdAt: iso(session.createdAt),
    authenticatedAt: iso(session.authenticatedAt),
    lastUsedAt: use === undefined ? null : iso(use.at),
    expiresAt: iso(session.expiresAt),
    address: session.address,
    userAgent: session.userAgent,
  };
}

/** What is said of a credential from its own record. */
export interface CredentialTerms {
  readonly expiresAt: number;
  /** Absent means every node. */
  readonly nodes?: readonly string[];
}

/** What is said of who asks, and from where their page follows the changes. */
export interface SeenPrincipal {
  readonly principal: Principal;
  readonly user: UserRecord;
  readonly terms: CredentialTerms;
  readonly position: number;
}

export function viewPrincipal({ principal, user, terms, position }: SeenPrincipal): WhoAmI {
  const { expiresAt, nodes } = terms;
  return {
    user: { id: user.id, username: user.username, role: user.role },
    credential: { ...principal.credential, expiresAt: iso(expiresAt) },
    scopes: [...principal.scopes],
    nodes: nodes === undefined ? null : [...nodes],
    authenticatedAt: iso(principal.authenticatedAt),
    position,
  };
}

/** JSON with headers of its own: a cookie, an ETag. */
export function jsonReply(status: number, data: object, headers: ReplyHeaders): Reply {
  return new Reply({ status, headers, mediaType: "application/json; charset=utf-8", body: JSON.stringify(data) });
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
