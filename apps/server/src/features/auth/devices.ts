import { randomUUID } from "node:crypto";
import type { UserRecord } from "@gatehouse/contract/records";
import type { Secrets } from "@gatehouse/store";
import { authLimits } from "./limits.ts";

/** Whose browser it is, and of which password: another password makes every cookie of before worth nothing. */
export type DeviceOwner = Pick<UserRecord, "id" | "passwordChangedAt">;

/**
 * Knows a browser again that has signed in to an account. What it is given says nothing and opens nothing: it only has
 * its own line when it signs in again, so that strangers who guess cannot keep it out. Failures are counted per cookie.
 */
export interface Devices {
  /** The value of a new cookie. */
  issue(owner: DeviceOwner, now: number): string;
  /** The id of the device, if the cookie was given to a browser of this user; of nobody's, never. */
  find(value: string, owner: DeviceOwner | undefined, now: number): string | undefined;
}

/** The cookie is sealed with a key of its own under the master key, and bound to the user's id. Nothing about it is kept. */
export function openDevices(secrets: Pick<Secrets, "seal" | "open">): Devices {
  const placeOf = (userId: string) => ({ kind: "device", id: userId, field: "cookie" });
  const open = (value: string, userId: string): unknown => {
    try {
      return JSON.parse(secrets.open(placeOf(userId), value.replaceAll(".", ":")).toString());
    } catch {
      // Not ours, or not this user's: a stranger like any other.
      return undefined;
    }
  };
  return {
    issue: ({ id, passwordChangedAt }, now) =>
      secrets.seal(placeOf(id), JSON.stringify([randomUUID(), now, passwordChangedAt])).replaceAll(":", "."),
    find: (value, owner, now) => {
      const [device, issuedAt, generation] = asList(open(value, owner?.id ?? "nobody"));
      if (typeof device !== "string" || typeof issuedAt !== "number") return undefined;
      const isCurrent = generation === owner?.passwordChangedAt && now - issuedAt < authLimits.deviceMs;
      return isCurrent ? device : undefined;
    },
  };
}

function asList(found: unknown): readonly unknown[] {
  return Array.isArray(found) ? found : [];
}
