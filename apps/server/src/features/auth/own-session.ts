import { fault } from "@gatehouse/contract";
import type { SessionRecord, UserRecord } from "@gatehouse/contract/records";
import type { Store, StoredRecord } from "@gatehouse/store";
import { type Decide, put } from "@gatehouse/store/decide";
import { entryOf, type Principal, type RequestFacts } from "../../platform/route/index.ts";
import { findUser, type Passwords, readCredentials, sessionKeyOfRef, type SessionRef } from "@gatehouse/identity";
import type { RefusedAttempts } from "./refused-attempts.ts";
import { rewriteSessions } from "./sessions.ts";
import { throttled } from "./sign-in.ts";
import type { Delays } from "./delays.ts";

/** What a token can never do, whatever its scopes: it is nobody who could prove anything. */
export function requireSession(principal: Principal): void {
  if (principal.credential.kind === "session") return;
  throw fault("auth.session_required", "the route needs a session; a token was sent");
}

export interface OwnSessionDeps {
  readonly decide: Decide;
}

/** Ends sessions of the principal's own user: the chosen one, or all but the one that asks. */
export async function endSessions(
  deps: OwnSessionDeps,
  principal: Principal,
  request: RequestFacts,
  which: {
    readonly action: "auth.signed_out" | "auth.session_ended" | "auth.sessions_ended";
    readonly ends: (session: SessionRef) => boolean;
    readonly subject: string;
  },
): Promise<readonly string[]> {
  return deps.decide([principal.id], async (read) => {
    const book = await readCredentials(read, principal.id);
    const { changes, ended } = await rewriteSessions(read, book, { keep: (session) => !which.ends(session) });
    if (ended.length === 0) return { result: () => ended };
    const detail = { userId: principal.id, ended };
    const what = { actor: principal.id, action: which.action, subject: which.subject, detail };
    return { entry: entryOf(request, what), changes, result: () => ended };
  });
}

export interface ProofDeps {
  readonly store: Pick<Store, "get">;
  readonly passwords: Passwords;
  /** Its own, not that of sign-in: strangers who guess must not keep a signed-in user from proving who they are. */
  readonly proofDelays: Delays;
  readonly refused: Pick<RefusedAttempts, "count">;
}

/** Has the user of a session prove the password again. Returns the user as it was proved. */
export async function provePassword(
  deps: ProofDeps,
  principal: Principal,
  password: string,
  request: RequestFacts,
): Promise<UserRecord> {
  requireSession(principal);
  const user = await findUser(deps.store, principal.id);
  if (user === undefined) throw gone();
  const told = {
    action: "auth.proof_refused",
    userId: principal.id,
    address: request.clientAddress,
    at: request.now,
  } as const;
  // By session: whoever holds a stolen one keeps neither the others nor their owner from proving who they are.
  const attempt = deps.proofDelays.enter([principal.credential.id]);
  if (attempt.wait > 0) {
    deps.refused.count({ ...told, isThrottled: true });
    throw throttled(attempt.wait);
  }
  let isRight: boolean;
  try {
    isRight = await deps.passwords.verify(user.value.passwordHash, password, {
      lane: "signed-in",
      block: principal.id,
    });
  } catch (error) {
    attempt.withdrawn();
    throw error;
  }
  if (!isRight) {
    attempt.failed();
    deps.refused.count({ ...told, isThrottled: false });
    throw fault("auth.password_wrong", "it is not the current password of the account");
  }
  attempt.succeeded();
  return user.value;
}

export interface Renewal {
  readonly user: UserRecord;
  readonly session: SessionRecord;
  readonly value: string;
}

/**
 * Gives the session that asks a new value and a new time of proof (security class 29), together with whatever else
 * `change` makes of the user. Refuses when the session ended or the password changed since it was proved.
 */
export async function renewSession(
  deps: OwnSessionDeps,
  principal: Principal,
  request: RequestFacts,
  how: {
    readonly action: "auth.stepped_up" | "auth.password_changed";
    readonly proved: UserRecord;
    readonly passwordHash?: string;
    readonly keep: (session: SessionRef) => boolean;
  },
): Promise<Renewal> {
  return deps.decide([principal.id], async (read) => {
    const [user, book] = [await findUser(read, principal.id), await readCredentials(read, principal.id)];
    const ref = book.value.sessions.find(({ id }) => id === principal.credential.id);
    const old = ref === undefined ? undefined : await read.get(sessionKeyOfRef(ref));
    if (user === undefined || user.value.disabled || old === undefined) throw gone();
    if (user.value.passwordHash !== how.proved.passwordHash) throw gone();
    const session = { ...old.value, authenticatedAt: request.now };
    const { changes, ended, value } = await rewriteSessions(read, book, { keep: how.keep, add: session });
    return {
      entry: entryOf(request, {
        actor: principal.id,
        action: how.action,
        subject: how.passwordHash === undefined ? `session/${session.id}` : user.key.text,
        detail: { userId: principal.id, ended },
      }),
      changes: [...changes, ...passwordChange(user, how.passwordHash, request.now)],
      result: () => ({ user: user.value, session, value }),
    };
  });
}

function passwordChange(user: StoredRecord<UserRecord>, passwordHash: string | undefined, now: number) {
  if (passwordHash === undefined) return [];
  return [put(user, { ...user.value, passwordHash, passwordChangedAt: now, updatedAt: now })];
}

function gone(): Error {
  return fault("auth.credential_refused", "the session has ended meanwhile");
}
