import { newId } from "@gatehouse/base";
import { fault, type Role } from "@gatehouse/contract";
import { credentialsKind } from "@gatehouse/contract/records";
import type { Change, Store, StoredRecord } from "@gatehouse/store";
import { create, type Decide, put, type Reads } from "@gatehouse/store/decide";
import { actorOf, entryOf, type Principal, type RequestFacts } from "../../platform/route/index.ts";
import { recall } from "../../platform/idempotency/index.ts";
import {
  checkNewPassword,
  findUser,
  type OwnersRecord,
  type Passwords,
  readOwners,
  userKey,
  usernameKey,
  type UserRecord,
} from "@gatehouse/identity";
import { everybody } from "./limits.ts";
import { requireAtLeast, requireRights } from "./rights.ts";

export interface NewUser {
  readonly username: string;
  readonly role: Role;
  readonly password: string;
}

export interface CreateUserDeps {
  readonly store: Pick<Store, "get">;
  readonly passwords: Pick<Passwords, "hash">;
  readonly decide: Decide;
}

/** Creates a user with a first password, or answers with the one an earlier request of the same key created. */
export async function createUser(
  deps: CreateUserDeps,
  principal: Principal,
  wanted: NewUser,
  request: RequestFacts,
  idempotencyKey: string | undefined,
): Promise<StoredRecord<UserRecord>> {
  const { username, role, password } = wanted;
  checkNewPassword(password, username);
  const asked = {
    userId: principal.id,
    route: "users",
    key: idempotencyKey,
    request: { username, role },
    now: request.now,
  };
  // Looked at before the costly hash as well; what decides is the look inside the decision.
  const earlier = await recall(deps.store, asked);
  const passwordHash = earlier.resultId === undefined ? await deps.passwords.hash(password) : "";
  return deps.decide([principal.id, everybody], async (read) => {
    const rights = await requireRights(read, principal, "user:admin", request.now);
    requireAtLeast(rights, role);
    const remembered = await recall(read, asked);
    if (remembered.resultId !== undefined) {
      const found = await earlierUser(read, remembered.resultId);
      return { result: () => found };
    }
    if ((await read.get(usernameKey(username))) !== undefined) {
      throw fault("user.name_taken", `there is a user ${username} already`);
    }
    const user = newUser({ username, role, passwordHash }, request.now);
    return {
      entry: entryOf(request, {
        actor: actorOf(principal),
        action: "user.created",
        subject: userKey(user.id).text,
        detail: { userId: user.id, username, role },
      }),
      changes: [...creation(user, await readOwners(read)), ...remembered.keep(user.id)],
      result: ({ version }) => ({ key: userKey(user.id), version, value: user }),
    };
  });
}

export function newUser(
  { username, role, passwordHash }: Pick<UserRecord, "username" | "role" | "passwordHash">,
  now: number,
): UserRecord {
  const times = { createdAt: now, updatedAt: now, passwordChangedAt: now };
  return { id: newId("usr", now), username, role, passwordHash, disabled: false, ...times };
}

/** Every record a user begins with. Each must be absent before: that is what makes the name unique. */
export function creation(user: UserRecord, owners: StoredRecord<OwnersRecord>): readonly Change[] {
  return [
    create(userKey(user.id), user),
    create(usernameKey(user.username), { userId: user.id }),
    create(credentialsKind.key(user.id), { sessions: [], tokens: [] }),
    ...ownersChange(owners, [...owners.value.ids, ...(user.role === "owner" ? [user.id] : [])]),
  ];
}

/** The change of the set of enabled owners; none when it stays what it is. */
export function ownersChange(owners: StoredRecord<OwnersRecord>, ids: readonly string[]): readonly Change[] {
  const isSame = ids.length === owners.value.ids.length && ids.every((id) => owners.value.ids.includes(id));
  return isSame ? [] : [put(owners, { ids })];
}

async function earlierUser(store: Reads, id: string): Promise<StoredRecord<UserRecord>> {
  const user = await findUser(store, id);
  if (user !== undefined) return user;
  throw fault("user.unknown", "the user that was created with this Idempotency-Key has been removed");
}
