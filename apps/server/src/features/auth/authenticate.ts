import { hash, timingSafeEqual } from "node:crypto";
import type { Clock } from "@gatehouse/base";
import { findTokenId, type Role, roles, type Scope, scopesOfRole, scopesOfTokenClass } from "@gatehouse/contract";
import type { Reads } from "@gatehouse/store/decide";
import type { Authenticate, FoundPrincipal, Principal } from "../../platform/route/index.ts";
import { authLimits } from "./limits.ts";
import {
  findUser,
  readCredentials,
  type SessionRecord,
  type TokenRecord,
  tokenKey,
  type UserRecord,
} from "@gatehouse/identity";
import { sessionKeyOf } from "./sessions.ts";
import type { Uses } from "./uses.ts";

export interface AuthenticateDeps {
  readonly store: Reads;
  readonly uses: Uses;
}

/**
 * Finds whose credential it is, with two reads: the credential and its user. Nothing is remembered between requests, so
 * what was revoked, expired, disabled or demoted counts from the next request on (security class 16).
 */
export function openAuthenticate(deps: AuthenticateDeps): Authenticate {
  return async ({ credential, now, clientAddress }) => {
    const found =
      credential.kind === "bearer"
        ? await findToken(deps, credential.token, now)
        : await findSession(deps, credential.value, now);
    if (found !== undefined) deps.uses.touch(found.principal.credential.id, { at: now, address: clientAddress });
    return found;
  };
}

async function findSession(deps: AuthenticateDeps, value: string, now: number): Promise<FoundPrincipal | undefined> {
  if (!cookieValue.test(value)) return undefined;
  const session = (await deps.store.get(sessionKeyOf(value)))?.value;
  if (session === undefined || !(await isRunning(deps, session, now))) return undefined;
  const user = (await findUser(deps.store, session.userId))?.value;
  return user === undefined || user.disabled ? undefined : { principal: sessionPrincipal(session, user) };
}

async function findToken(deps: AuthenticateDeps, text: string, now: number): Promise<FoundPrincipal | undefined> {
  const id = findTokenId(text);
  if (id === undefined) return undefined;
  const token = (await deps.store.get(tokenKey(id)))?.value;
  if (token === undefined) return undefined;
  const isRight = timingSafeEqual(hash("sha256", text, "buffer"), Buffer.from(token.hash, "hex"));
  if (!isRight || !isLive(token, now)) return undefined;
  const user = (await findUser(deps.store, token.userId))?.value;
  return user === undefined || user.disabled ? undefined : foundToken(token, user);
}

/** Until when the credential of a principal holds what the principal holds; undefined when it no longer does. */
export async function holdsUntil(
  deps: AuthenticateDeps & { readonly clock: Pick<Clock, "now"> },
  principal: Principal,
): Promise<number | undefined> {
  const now = deps.clock.now();
  const user = (await findUser(deps.store, principal.id))?.value;
  if (user === undefined || user.disabled) return undefined;
  const { kind, id } = principal.credential;
  if (kind === "session") {
    const session = (await readCredentials(deps.store, principal.id)).value.sessions.find((own) => own.id === id);
    if (session === undefined || !(await isRunning(deps, session, now))) return undefined;
    if (!holdsAll(scopesOfUser(user.role), principal.scopes)) return undefined;
    return Math.min(session.expiresAt, now + authLimits.idleMs - (await deps.uses.idleMs(id)));
  }
  const token = (await deps.store.get(tokenKey(id)))?.value;
  if (token === undefined || !isLive(token, now)) return undefined;
  return holdsAll(tokenScopes(token, user), principal.scopes) ? token.expiresAt : undefined;
}

const cookieValue = /^[A-Za-z0-9_-]{43}$/;

function isRunning(
  deps: Pick<AuthenticateDeps, "uses">,
  session: Pick<SessionRecord, "id" | "expiresAt">,
  now: number,
): boolean | Promise<boolean> {
  if (session.expiresAt <= now) return false;
  const idle = deps.uses.idleMs(session.id);
  return typeof idle === "number" ? idle < authLimits.idleMs : idle.then((ms) => ms < authLimits.idleMs);
}

export function isLive(token: Pick<TokenRecord, "expiresAt" | "revokedAt">, now: number): boolean {
  return token.expiresAt > now && token.revokedAt === undefined;
}

export function sessionPrincipal(session: SessionRecord, user: UserRecord): Principal {
  return {
    id: user.id,
    credential: { kind: "session", id: session.id },
    scopes: scopesOfUser(user.role),
    authenticatedAt: session.authenticatedAt,
  };
}

function foundToken(token: TokenRecord, user: UserRecord): FoundPrincipal {
  const principal: Principal = {
    id: user.id,
    credential: { kind: "token", id: token.id, class: token.class },
    scopes: tokenScopes(token, user),
    authenticatedAt: token.createdAt,
  };
  return token.nodes === undefined ? { principal } : { principal, nodes: new Set(token.nodes) };
}

/** What was given, of what its class may hold, of what its owner holds now. */
export function tokenScopes(token: Pick<TokenRecord, "scopes" | "class">, user: UserRecord): ReadonlySet<Scope> {
  const ofClass = classScopes[token.class];
  const ofOwner = scopesOfUser(user.role);
  const held = new Set<Scope>();
  // A loop: every request with a token passes here, and `filter` is five times as slow on what the store has frozen.
  for (const scope of token.scopes) if (ofClass.has(scope) && ofOwner.has(scope)) held.add(scope);
  return held;
}

const classScopes = {
  automation: new Set(scopesOfTokenClass("automation")),
  assistant: new Set(scopesOfTokenClass("assistant")),
} as const;

const roleScopes = new Map<Role, ReadonlySet<Scope>>(roles.map((role) => [role, new Set(scopesOfRole(role))]));

export function scopesOfUser(role: Role): ReadonlySet<Scope> {
  return roleScopes.get(role) ?? new Set();
}

export function holdsAll(held: ReadonlySet<Scope>, asked: Iterable<Scope>): boolean {
  for (const scope of asked) if (!held.has(scope)) return false;
  return true;
}
