import type { LoggedEntry, Store } from "@gatehouse/store";
import { inventedEntry } from "../tests/support/invented-entry.ts";

/** What happened, who did it, to what, how long ago. Names and addresses are invented, the latter from the documentation ranges. */
const week: readonly (readonly [minutesAgo: number, Omit<LoggedEntry, "at">])[] = [
  [10_080, { actor: "system", action: "server.started", subject: "server/main", detail: { version: "0.1.0" } }],
  [10_079, { actor: "system", action: "user.created", subject: "user/dev", detail: { role: "owner" } }],
  [9_500, { actor: "usr_dev", action: "session.opened", subject: "user/dev", address: "192.0.2.10" }],
  [
    9_320,
    {
      actor: "unknown",
      action: "session.opened",
      subject: "user/root",
      outcome: "refused",
      address: "203.0.113.66",
      detail: { attempts: 14 },
    },
  ],
  [
    7_201,
    {
      actor: "usr_dev",
      action: "plugin.installed",
      subject: "plugin/netguard",
      detail: { version: "2.3.1", reason: "first install" },
    },
  ],
  [
    7_188,
    {
      actor: "usr_dev",
      action: "plugin.activated",
      subject: "plugin/netguard",
      outcome: "failed",
      detail: { reason: "the runtime directory is mounted noexec" },
    },
  ],
  [7_150, { actor: "usr_dev", action: "plugin.activated", subject: "plugin/netguard", detail: { version: "2.3.1" } }],
  [
    4_400,
    { actor: "token:ci-deploy", action: "plan.created", subject: "plan/rate-limit-quic", address: "2001:db8::17" },
  ],
  [4_360, { actor: "usr_dev", action: "plan.approved", subject: "plan/rate-limit-quic", detail: { hosts: 12 } }],
  [
    4_355,
    {
      actor: "node:fra1-edge-03",
      action: "plan.rolled_back",
      subject: "plan/rate-limit-quic",
      outcome: "failed",
      detail: { reason: "no fresh control connection within 90 s", host: "as it was" },
    },
  ],
  [
    1_440,
    {
      actor: "system",
      action: "plugin.rejected",
      subject: "plugin/dns-sync",
      outcome: "refused",
      detail: { reason: "artifact digest mismatch" },
    },
  ],
  [35, { actor: "usr_dev", action: "session.opened", subject: "user/dev", address: "192.0.2.10" }],
];

/** Fills a new store with a week of audit records, so that lists, searches and the chain have something to show. */
export async function seed(store: Store, now: number): Promise<number> {
  for (const [minutesAgo, entry] of week)
    await store.commit(inventedEntry({ ...entry, at: now - minutesAgo * 60_000 }));
  // Enough of one kind to need a second page.
  for (let hour = 72; hour > 0; hour -= 1) {
    const subject = `node/ams1-web-${String(hour % 12).padStart(2, "0")}`;
    const at = now - hour * 3_600_000;
    const detail = { agent: "0.1.0" };
    await store.commit(inventedEntry({ at, actor: "system", action: "node.seen", subject, detail }));
  }
  return week.length + 72;
}
