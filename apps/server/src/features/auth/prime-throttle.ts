import type { UserRecord } from "@gatehouse/contract/records";
import type { AuditQuery, AuditRecord, Store } from "@gatehouse/store";
import { strangerBlock } from "./address-block.ts";
import { authLimits } from "./limits.ts";
import { findUser } from "@gatehouse/identity";
import type { Places } from "./places.ts";
import type { Throttle, SignInVisit } from "./throttle.ts";

export interface PrimeDeps {
  readonly store: Pick<Store, "get" | "searchAudit">;
  readonly throttle: Pick<Throttle, "prime">;
  readonly places: Places;
}

/**
 * Learns from the audit log where people have signed in and which sign-ins were refused lately, so that a restart is no
 * fresh start for whoever guesses, and takes nothing from whoever is known. What was refused in the last minute before a
 * crash is not there: it was counted and not yet written. A new password, also one that the command line has set, ends
 * what was counted before it.
 */
export async function primeThrottle(deps: PrimeDeps, now: number): Promise<void> {
  const users = new Map<string, UserRecord | undefined>();
  const userOf = async (id: string) => {
    if (!users.has(id)) users.set(id, (await findUser(deps.store, id))?.value);
    return users.get(id);
  };
  const goodAt = await primePlaces(deps, userOf, now);
  const from = now - authLimits.rememberFailuresMs;
  for (const record of await oldestFirst(deps.store, { action: "auth.sign_in_refused", from, limit: pageOf })) {
    const failures = judgedFailures(record);
    if (failures === 0 || record.subject === "username/unknown") continue;
    const [kind, id = ""] = record.subject.split("/");
    const user = kind === "user" ? await userOf(id) : undefined;
    if (kind === "user" && (user === undefined || record.at <= user.passwordChangedAt)) continue;
    const visit = visitOf(deps.places, user?.username ?? id, { user, address: record.address });
    // A good sign-in ends the row of failures before it, in its own place.
    if (record.at > (goodAt.get(visit.place) ?? 0)) deps.throttle.prime(visit, failures, now - record.at);
  }
}

/** Gives the time of the last good sign-in by the lane of its place. */
async function primePlaces(
  { store, places }: PrimeDeps,
  userOf: (id: string) => Promise<UserRecord | undefined>,
  now: number,
): Promise<ReadonlyMap<string | undefined, number>> {
  const goodAt = new Map<string | undefined, number>();
  const from = now - authLimits.knownAddressMs;
  for (const { actor, address, at } of await oldestFirst(store, { action: "auth.signed_in", from, limit: pageOf })) {
    const user = await userOf(actor);
    if (user === undefined || address === undefined || at < user.passwordChangedAt) continue;
    places.remember(user, address);
    goodAt.set(places.laneOf(user, address), at);
  }
  return goodAt;
}

function visitOf(
  places: Places,
  account: string,
  { user, address }: { user: UserRecord | undefined; address: string | undefined },
): SignInVisit {
  if (address === undefined) return { account, block: undefined };
  return { account, block: strangerBlock(address), place: places.laneOf(user, address) };
}

function judgedFailures({ detail }: AuditRecord): number {
  const [count, throttled] = [detail?.["count"], detail?.["throttled"]];
  return typeof count === "number" && typeof throttled === "number" ? Math.max(0, count - throttled) : 0;
}

const pageOf = 1_000;

/** The newest of them, in the order in which they happened. */
async function oldestFirst(store: Pick<Store, "searchAudit">, query: AuditQuery): Promise<readonly AuditRecord[]> {
  const found: AuditRecord[] = [];
  let after: number | undefined;
  while (found.length < authLimits.primedRecords) {
    const page = await store.searchAudit({ ...query, ...(after !== undefined && { after }) });
    found.push(...page.items);
    if (page.next === undefined || page.items.length === 0) break;
    after = page.next;
  }
  return found.reverse();
}
