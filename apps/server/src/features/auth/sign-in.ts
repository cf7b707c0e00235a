import { newId } from "@gatehouse/base";
import { fault, isFault, parseUsername } from "@gatehouse/contract";
import type { SessionRecord, UserRecord } from "@gatehouse/contract/records";
import type { Store, StoredRecord } from "@gatehouse/store";
import { type Decide, put } from "@gatehouse/store/decide";
import { entryOf, type RequestFacts } from "../../platform/route/index.ts";
import { strangerBlock } from "./address-block.ts";
import type { Devices } from "./devices.ts";
import { authLimits } from "./limits.ts";
import { findUser, type Passwords, readCredentials, type HashingTurn, usernameKey } from "@gatehouse/identity";
import type { Places } from "./places.ts";
import type { RefusedAttempts } from "./refused-attempts.ts";
import { describeClient, rewriteSessions, roomForOne } from "./sessions.ts";
import type { Throttle, SignInVisit } from "./throttle.ts";
import type { Uses } from "./uses.ts";

export interface SignInDeps {
  readonly store: Pick<Store, "get">;
  readonly passwords: Passwords;
  readonly throttle: Throttle;
  readonly devices: Devices;
  readonly places: Places;
  readonly refused: Pick<RefusedAttempts, "count">;
  readonly uses: Pick<Uses, "touch">;
  readonly decide: Decide;
}

export interface SignedIn {
  readonly user: UserRecord;
  readonly session: SessionRecord;
  /** The cookie's value: to the browser, and nowhere else. */
  readonly value: string;
}

export interface Typed {
  readonly username: string;
  readonly password: string;
  readonly userAgent: string | undefined;
  /** The value of the cookie that a browser was given at an earlier sign-in. */
  readonly device: string | undefined;
}

/**
 * Signs somebody in, or refuses: an unknown name, a wrong password and a disabled user are one refusal after the same
 * work (security class 78). Nothing about the attempt is known to the caller that was not in it.
 */
export async function signIn(deps: SignInDeps, typed: Typed, request: RequestFacts): Promise<SignedIn> {
  const name = parseUsername(typed.username);
  const user = await findByName(deps.store, name);
  const visit = visitOf(deps, { account: name ?? typed.username, user: user?.value, device: typed.device }, request);
  const told = {
    action: "auth.sign_in_refused",
    ...(user !== undefined && { userId: user.value.id }),
    ...(name !== undefined && { name }),
    address: request.clientAddress,
    at: request.now,
  } as const;
  const attempt = deps.throttle.enter(visit);
  if (attempt.wait > 0) {
    deps.refused.count({ ...told, isThrottled: true });
    throw throttled(attempt.wait);
  }
  try {
    const isRight = await judgePassword(deps, user, typed.password, turnOf(visit));
    if (!isRight || user === undefined || user.value.disabled) throw refusal();
    const signedIn = await beginSession(deps, user.value, typed, request);
    attempt.succeeded();
    return signedIn;
  } catch (error) {
    if (isFault(error, "auth.sign_in_refused")) {
      attempt.failed();
      deps.refused.count({ ...told, isThrottled: false });
    }
    // The server could not judge it, or could not keep it: not the visitor's failure.
    else attempt.withdrawn();
    throw error;
  }
}

/** By which lanes somebody comes: their own, where this account has seen their browser or their place before. */
function visitOf(
  { devices, places }: Pick<SignInDeps, "devices" | "places">,
  { account, user, device }: { account: string; user: UserRecord | undefined; device: string | undefined },
  { clientAddress, now }: RequestFacts,
): SignInVisit & { readonly block: string } {
  const found = device === undefined ? undefined : devices.find(device, user, now);
  return {
    account,
    block: strangerBlock(clientAddress),
    device: found === undefined ? undefined : `device/${found}`,
    place: places.laneOf(user, clientAddress),
  };
}

/** Whoever is known here comes before a crowd of strangers. */
function turnOf({ block, device, place }: SignInVisit & { readonly block: string }): HashingTurn {
  return { lane: (device ?? place) === undefined ? "stranger" : "known", block: device ?? block };
}

export function throttled(wait: number): Error {
  return fault("auth.sign_in_throttled", `the next attempt of yours for this account is accepted in ${wait} s`, {
    fields: { retryAfter: wait },
  });
}

async function findByName(store: SignInDeps["store"], name: string | undefined) {
  const named = name === undefined ? undefined : await store.get(usernameKey(name));
  // Asked for also when there is nobody, so that both ways take the same steps.
  return findUser(store, named?.value.userId ?? "nobody");
}

function judgePassword(
  { passwords }: SignInDeps,
  user: StoredRecord<UserRecord> | undefined,
  password: string,
  turn: HashingTurn,
) {
  if (user === undefined) return passwords.verifyNobody(password, turn);
  return passwords.verify(user.value.passwordHash, password, turn);
}

async function beginSession(
  deps: SignInDeps,
  verified: UserRecord,
  typed: Typed,
  request: RequestFacts,
): Promise<SignedIn> {
  const { now } = request;
  const passwordHash = deps.passwords.isOutdated(verified.passwordHash)
    ? await deps.passwords.hash(typed.password)
    : verified.passwordHash;
  const session = {
    id: newId("ses", now),
    userId: verified.id,
    createdAt: now,
    authenticatedAt: now,
    expiresAt: now + authLimits.sessionMs,
    ...describeClient(request, typed.userAgent),
  };
  const signedIn = await deps.decide([verified.id], async (read) => {
    const user = await findUser(read, verified.id);
    // Meanwhile removed, disabled, or given another password than the one that was proved.
    if (user === undefined || user.value.disabled || user.value.passwordHash !== verified.passwordHash) throw refusal();
    const book = await readCredentials(read, verified.id);
    const { changes, ended, value } = await rewriteSessions(read, book, {
      keep: roomForOne(book.value.sessions, now),
      add: session,
    });
    const rehashed = passwordHash === user.value.passwordHash ? [] : [put(user, { ...user.value, passwordHash })];
    return {
      entry: entryOf(request, {
        actor: verified.id,
        action: "auth.signed_in",
        subject: `session/${session.id}`,
        detail: { userId: verified.id, username: verified.username, userAgent: session.userAgent, ended },
      }),
      changes: [...changes, ...rehashed],
      result: () => ({ user: user.value, session, value }),
    };
  });
  deps.uses.touch(session.id, { at: now, address: session.address });
  deps.places.remember(signedIn.user, session.address);
  return signedIn;
}

function refusal(): Error {
  return fault("auth.sign_in_refused", "the name or the password is wrong, or the account cannot sign in");
}
