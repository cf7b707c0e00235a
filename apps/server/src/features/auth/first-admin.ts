import type { Clock } from "@gatehouse/base";
import { fault, isFault, judgePassword } from "@gatehouse/contract";
import { userKind } from "@gatehouse/contract/records";
import { readSetting } from "@gatehouse/contract/settings";
import type { Store } from "@gatehouse/store";
import { creation, newUser } from "./create-user.ts";
import { type Passwords, readOwners, userKey } from "@gatehouse/identity";

export interface FirstAdminDeps {
  readonly store: Pick<Store, "get" | "list" | "commit">;
  readonly passwords: Pick<Passwords, "hash">;
  readonly clock: Pick<Clock, "now">;
  /** SERVICE_ADMIN_USERNAME and SERVICE_ADMIN_PASSWORD. */
  readonly admin: { readonly username: string | undefined; readonly password: string | undefined };
}

/**
 * Contract 5.5: when there is no user at all, an owner is created from the two variables. Once any user exists they
 * change nothing and are looked at by nobody. There is no setup page to be the first at (security class 21).
 */
export async function ensureFirstAdmin(deps: FirstAdminDeps): Promise<void> {
  if (await hasUsers(deps.store)) return;
  const { username, password } = readFirstAdmin(deps.admin);
  const now = deps.clock.now();
  const user = newUser({ username, role: "owner", passwordHash: await deps.passwords.hash(password) }, now);
  const changes = creation(user, await readOwners(deps.store));
  try {
    await deps.store.commit(
      {
        at: now,
        actor: "system",
        action: "user.created",
        subject: userKey(user.id).text,
        outcome: "done",
        detail: { userId: user.id, username, role: "owner", first: true },
      },
      changes,
    );
  } catch (error) {
    // Another server began on the same empty database in this moment, and was first.
    if (!isFault(error, "store.conflict") || !(await hasUsers(deps.store))) throw error;
  }
}

async function hasUsers(store: FirstAdminDeps["store"]): Promise<boolean> {
  return (await store.list(userKind, { limit: 1, newest: true })).length > 0;
}

/** The two variables as their settings want them, or the refusal that says what to write. */
function readFirstAdmin(admin: FirstAdminDeps["admin"]): { username: string; password: string } {
  const username = readSetting("SERVICE_ADMIN_USERNAME", admin.username);
  const password = readSetting("SERVICE_ADMIN_PASSWORD", admin.password);
  const missing = [
    ...(username === undefined ? ["SERVICE_ADMIN_USERNAME"] : []),
    ...(password === undefined ? ["SERVICE_ADMIN_PASSWORD"] : []),
  ];
  if (username === undefined || password === undefined) {
    const names = missing.length === 1 ? `${missing[0]} is` : `${missing.join(" and ")} are`;
    throw fault("auth.first_admin_missing", `there is no user yet, and ${names} not set`);
  }
  const reason = judgePassword(password, username);
  if (reason !== undefined) throw fault("config.invalid", `SERVICE_ADMIN_PASSWORD: ${reason}`);
  return { username, password };
}
