import { fault, type Role, type Scope } from "@gatehouse/contract";
import type { UserRecord } from "@gatehouse/contract/records";
import type { Reads } from "@gatehouse/store/decide";
import type { Principal } from "../../platform/route/index.ts";
import { holdsAll, isLive, scopesOfUser, tokenScopes } from "./authenticate.ts";
import { findUser, readCredentials, tokenKey } from "@gatehouse/identity";

/** What an actor holds at the moment of a decision. */
export interface Rights {
  readonly user: UserRecord;
  readonly scopes: ReadonlySet<Scope>;
}

/**
 * Reads again who acts. The gate's answer is as old as the request; a decision about power needs one that is not, and reads
 * it with its own reads: it fails when the actor lost anything meanwhile (security class 17).
 */
export async function readRights(store: Reads, principal: Principal, now: number): Promise<Rights> {
  const user = await findUser(store, principal.id);
  if (user === undefined || user.value.disabled) throw lost();
  if (principal.credential.kind === "session") {
    const book = await readCredentials(store, principal.id);
    const session = book.value.sessions.find(({ id }) => id === principal.credential.id);
    if (session === undefined || session.expiresAt <= now) throw lost();
    return { user: user.value, scopes: scopesOfUser(user.value.role) };
  }
  const token = await store.get(tokenKey(principal.credential.id));
  if (token === undefined || !isLive(token.value, now)) throw lost();
  return { user: user.value, scopes: tokenScopes(token.value, user.value) };
}

/** As `readRights`, for somebody who must still hold a scope. The nodes of a credential never change: the gate saw them. */
export async function requireRights(store: Reads, principal: Principal, scope: Scope, now: number) {
  const rights = await readRights(store, principal, now);
  requireScope(rights.scopes, scope);
  return rights;
}

export function requireScope(held: ReadonlySet<Scope>, scope: Scope): void {
  if (held.has(scope)) return;
  throw fault("auth.scope_missing", `the scope ${scope} is needed`, { fields: { scope } });
}

/**
 * Nobody gives, takes away or keeps for others what they do not hold themselves: whoever changes a user must hold
 * everything that user holds before and after (security classes 18 and 19).
 */
export function requireAtLeast(rights: Pick<Rights, "scopes">, ...affected: readonly Role[]): void {
  for (const role of affected) {
    if (holdsAll(rights.scopes, scopesOfUser(role))) continue;
    const missing = [...scopesOfUser(role)].filter((scope) => !rights.scopes.has(scope));
    throw fault("user.beyond_own", `a change to or from the role ${role} needs ${missing.join(", ")}`, {
      fields: { role, scopes: missing },
    });
  }
}

function lost(): Error {
  return fault("auth.credential_refused", "the credential has been taken back meanwhile");
}
