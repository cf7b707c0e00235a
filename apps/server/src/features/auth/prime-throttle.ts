import type { AuditQuery, AuditRecord, Store } from "@gatehouse/store";
import { authLimits } from "./limits.ts";
import { findUser } from "@gatehouse/identity";
import type { Throttle } from "./throttle.ts";

/**
 * Learns of recent refused sign-ins from the audit log, so that a restart is no fresh start for whoever guesses. What
 * was refused in the last minute before a crash is not there: it was counted and not yet written.
 */
export async function primeThrottle(
  deps: { readonly store: Pick<Store, "get" | "searchAudit">; readonly throttle: Pick<Throttle, "prime"> },
  now: number,
): Promise<void> {
  const from = now - authLimits.rememberFailuresMs;
  const signedIn = new Map<string, number>();
  for await (const record of newest(deps.store, { action: "auth.signed_in", from, limit: 1_000 })) {
    if (!signedIn.has(record.actor)) signedIn.set(record.actor, record.at);
  }
  for await (const record of newest(deps.store, { action: "auth.sign_in_refused", from, limit: 1_000 })) {
    const failures = judgedFailures(record);
    const [kind, id = ""] = record.subject.split("/");
    if (failures === 0 || record.subject === "username/unknown") continue;
    if (kind !== "user") deps.throttle.prime({ name: id, isKnown: false }, failures, now - record.at);
    // A good sign-in ends the row of failures before it.
    else if (record.at > (signedIn.get(id) ?? 0)) {
      const user = await findUser(deps.store, id);
      if (user) deps.throttle.prime({ name: user.value.username, isKnown: true }, failures, now - record.at);
    }
  }
}

function judgedFailures({ detail }: AuditRecord): number {
  const [count, throttled] = [detail?.["count"], detail?.["throttled"]];
  return typeof count === "number" && typeof throttled === "number" ? Math.max(0, count - throttled) : 0;
}

async function* newest(store: Pick<Store, "searchAudit">, query: AuditQuery): AsyncGenerator<AuditRecord> {
  let after: number | undefined;
  for (let read = 0; read < authLimits.primedRecords; ) {
    const page = await store.searchAudit({ ...query, ...(after !== undefined && { after }) });
    yield* page.items;
    read += page.items.length;
    if (page.next === undefined || page.items.length === 0) return;
    after = page.next;
  }
}
