import { fault, type Role } from "@gatehouse/contract";
import type { StoredRecord } from "@gatehouse/store";
import { type Decide, put, type Reads, remove } from "@gatehouse/store/decide";
import { actorOf, entryOf, type Principal, type RequestFacts } from "../../platform/route/index.ts";
import { ownersChange } from "./create-user.ts";
import {
  type CredentialsRecord,
  findUser,
  readCredentials,
  readOwners,
  tokenKey,
  type UserRecord,
  usernameKey,
} from "@gatehouse/identity";
import { rewriteSessions } from "./sessions.ts";
import { everybody } from "./limits.ts";
import { requireSession } from "./own-session.ts";
import { requireAtLeast, requireRights } from "./rights.ts";

export interface ChangeUserDeps {
  readonly decide: Decide;
}

/** The user that is meant, and the version the caller has seen. */
export interface TargetUser {
  readonly id: string;
  readonly version: number;
}

/**
 * Changes role or disablement. Either ends the user's sessions: a session's value never outlives a change of what it can
 * do (security class 29). Disabling also revokes the user's tokens, so that enabling brings back no forgotten one.
 * A token may disable and nothing else: what it gave would outlive it (security class 95).
 */
export async function changeUser(
  deps: ChangeUserDeps,
  principal: Principal,
  target: TargetUser,
  wanted: { readonly role?: Role | undefined; readonly disabled?: boolean | undefined },
  request: RequestFacts,
): Promise<StoredRecord<UserRecord>> {
  return deps.decide([principal.id, target.id, everybody], async (read) => {
    const rights = await requireRights(read, principal, "user:admin", request.now);
    const before = await readTarget(read, target);
    const role = wanted.role ?? before.value.role;
    const disabled = wanted.disabled ?? before.value.disabled;
    if (role === before.value.role && disabled === before.value.disabled) return { result: () => before };
    // The gate says so too, by the body alone; here it is certain what the change comes to.
    if (role !== before.value.role || !disabled) requireSession(principal);
    requireAtLeast(rights, before.value.role, role);
    const after = { ...before.value, role, disabled, updatedAt: request.now };
    const owners = await changedOwners(read, before.value.id, role === "owner" && !disabled);
    const book = await readCredentials(read, target.id);
    const tokens = disabled ? await revokeAll(read, book.value, request.now) : { changes: [], ended: [] };
    const sessions = await rewriteSessions(read, book, {
      keep: () => false,
      ...(disabled && { tokens: book.value.tokens.map((own) => dead(own, request.now)) }),
    });
    return {
      entry: entryOf(request, {
        actor: actorOf(principal),
        action: "user.changed",
        subject: before.key.text,
        detail: {
          userId: target.id,
          username: before.value.username,
          from: { role: before.value.role, disabled: before.value.disabled },
          to: { role, disabled },
          ended: [...sessions.ended, ...tokens.ended],
        },
      }),
      changes: [put(before, after), ...owners, ...sessions.changes, ...tokens.changes],
      result: ({ version }) => ({ key: before.key, version, value: after }),
    };
  });
}

/** Removes a user with everything that was theirs. What they did stays in the audit log, under their id. */
export async function removeUser(
  deps: ChangeUserDeps,
  principal: Principal,
  target: TargetUser,
  request: RequestFacts,
): Promise<void> {
  await deps.decide([principal.id, target.id, everybody], async (read) => {
    const rights = await requireRights(read, principal, "user:admin", request.now);
    const user = await readTarget(read, target);
    requireAtLeast(rights, user.value.role);
    const owners = await changedOwners(read, target.id, false);
    const book = await readCredentials(read, target.id);
    const { ended, changes } = await rewriteSessions(read, book, { keep: () => false });
    const tokens = await readTokens(read, book.value);
    const name = await read.get(usernameKey(user.value.username));
    const ownRecords = [user, ...tokens, ...(name === undefined ? [] : [name])];
    return {
      entry: entryOf(request, {
        actor: actorOf(principal),
        action: "user.removed",
        subject: user.key.text,
        detail: {
          userId: target.id,
          username: user.value.username,
          role: user.value.role,
          ended: [...ended, ...tokens.map(({ value }) => value.id)],
        },
      }),
      changes: [
        ...changes.filter(({ key }) => key.text !== book.key.text),
        ...ownRecords.map(remove),
        ...(book.version === 0 ? [] : [remove(book)]),
        ...owners,
      ],
      result: () => undefined,
    };
  });
}

async function readTarget(read: Reads, { id, version }: TargetUser): Promise<StoredRecord<UserRecord>> {
  let user = await findUser(read, id);
  // Whoever has seen a later version has seen it elsewhere: this server has not heard of it yet.
  if (user !== undefined && user.version < version) user = await read.get(user.key, { newest: true });
  if (user === undefined) throw fault("user.unknown", `there is no user ${id}`);
  if (user.version === version) return user;
  throw fault("request.stale", `the user has version ${user.version}, the change is for version ${version}`);
}

/** The set of enabled owners after the change. It is one record, so of two changes that each leave one owner, one fails. */
async function changedOwners(read: Reads, id: string, staysOwner: boolean) {
  const owners = await readOwners(read);
  const others = owners.value.ids.filter((owner) => owner !== id);
  const next = staysOwner ? [...others, id] : others;
  if (next.length === 0) throw fault("user.last_owner", "the user is the only enabled owner");
  return ownersChange(owners, next);
}

async function readTokens(read: Reads, book: CredentialsRecord) {
  const found = await Promise.all(book.tokens.map(({ id }) => read.get(tokenKey(id))));
  return found.filter((token) => token !== undefined);
}

async function revokeAll(read: Reads, book: CredentialsRecord, now: number) {
  const tokens = (await readTokens(read, book)).filter(({ value }) => value.revokedAt === undefined);
  const changes = tokens.map((token) => put(token, { ...token.value, revokedAt: now }));
  return { changes, ended: tokens.map(({ value }) => value.id) };
}

function dead<Ref extends { readonly deadAt: number }>(ref: Ref, now: number): Ref {
  return { ...ref, deadAt: Math.min(ref.deadAt, now) };
}
