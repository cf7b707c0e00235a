import { newId } from "@gatehouse/base";
import { fault } from "@gatehouse/contract";
import { type WebhookRecord, webhookKind } from "@gatehouse/contract/records";
import type { AuditRecord, Store } from "@gatehouse/store";
import type { Telemetry, WebhookAttempt } from "@gatehouse/store/telemetry";
import { type FollowedLog, followLog, type FollowLogDeps } from "./follow-log.ts";
import { deliveryLimits } from "./limits.ts";
import { makeTestNotice } from "./make-notice.ts";
import { attemptOf, type Delivery, type DeliveryDeps, openDelivery } from "./open-delivery.ts";

export interface DeliveriesDeps extends Omit<DeliveryDeps, "keepAttempt">, Pick<FollowLogDeps, "log" | "rest"> {
  readonly store: Pick<Store, "get" | "list" | "follow" | "searchAudit" | "head">;
  readonly telemetry: Pick<Telemetry, "keepAttempt" | "attemptsOf" | "touch" | "lastTouched">;
  readonly every: (ms: number, act: () => void) => () => void;
}

export interface Deliveries {
  find(id: string): Pick<Delivery, "waiting" | "takenAt"> | undefined;
  /** Sends a test notice at once, beside what waits, and says what became of it. */
  test(record: WebhookRecord): Promise<WebhookAttempt>;
  /** Notices that were taken, and attempts that failed, since the start. */
  taken(): number;
  failures(): number;
  close(): Promise<void>;
}

/** What is kept under a key of the telemetry while nothing waits. */
const placeOf = (id: string) => `webhook/${id}`;

/** Every webhook with its place in the log. Resolves when all are known; what was committed meanwhile and before is on its way. */
export async function openDeliveries(deps: DeliveriesDeps): Promise<Deliveries> {
  const { store, telemetry, clock, log, rest, every } = deps;
  const open = new Map<string, Delivery>();
  const testing = new Set<string>();
  const closing = new AbortController();
  let [taken, failures] = [0, 0];

  const keepAttempt = (attempt: WebhookAttempt): void => {
    if (attempt.outcome === "taken") taken += 1;
    else failures += 1;
    void telemetry.keepAttempt(attempt);
  };
  const begin = (record: WebhookRecord, doneTo: number, takenAt: number | null) =>
    open.set(record.id, openDelivery({ ...deps, keepAttempt }, { record, doneTo, takenAt }));

  const renew = async (id: string, position: number): Promise<void> => {
    const found = await store.get(webhookKind.key(id));
    const known = open.get(id);
    if (found === undefined) {
      open.delete(id);
      await known?.close();
    } else if (known === undefined) begin(found.value, position, null);
    else known.renew(found.value);
  };

  const take = async (entry: AuditRecord): Promise<void> => {
    const { name } = webhookKind;
    if (!entry.subject.startsWith(`${name}/`)) for (const delivery of open.values()) delivery.offer(entry);
    else {
      await renew(entry.subject.slice(name.length + 1), entry.position).catch((error: unknown) =>
        log.error("a webhook could not be read", { webhook: entry.subject }, error),
      );
    }
  };

  const start = await Promise.all((await store.list(webhookKind)).map(({ value }) => placeIn(deps, value)));
  for (const { record, doneTo, takenAt } of start) begin(record, doneTo, takenAt);
  const head = (await store.head()).position;
  const followed: FollowedLog = followLog(
    { store, take, log, rest },
    Math.min(head, ...start.map(({ doneTo }) => doneTo)),
  );

  const keepPlaces = (): void => {
    const readTo = followed.readTo();
    for (const [id, delivery] of open) telemetry.touch(placeOf(id), clock.now(), String(delivery.doneTo(readTo)));
  };
  const stopBeat = every(deliveryLimits.beatMs, keepPlaces);

  return {
    find: (id) => open.get(id),
    test: async (record) => {
      if (testing.has(record.id)) throw fault("webhook.test_under_way", `${record.name} is being tested`);
      testing.add(record.id);
      try {
        const notice = makeTestNotice(newId("test", clock.now()), record.name, clock.now());
        const began = clock.monotonic();
        const result = await deps.send(record, { notice, skipped: 0 }, closing.signal);
        const ms = Math.round(clock.monotonic() - began);
        const attempt = attemptOf(record.id, notice, 1, result, { at: clock.now(), ms, isLast: false });
        keepAttempt(attempt);
        if (result.isTaken) open.get(record.id)?.wake();
        return attempt;
      } finally {
        testing.delete(record.id);
      }
    },
    taken: () => taken,
    failures: () => failures,
    close: async () => {
      closing.abort();
      stopBeat();
      await followed.close();
      keepPlaces();
      await Promise.all([...open.values()].map((delivery) => delivery.close()));
    },
  };
}

/**
 * Where a webhook goes on after a restart: behind what it has taken. Where that was lost, at what may still be told, so that a
 * notice comes twice rather than never.
 */
async function placeIn({ store, telemetry, clock, log }: DeliveriesDeps, record: WebhookRecord) {
  const attempts = await telemetry.attemptsOf(record.id);
  const key = placeOf(record.id);
  const touched = await telemetry.lastTouched([key]).catch((error: unknown) => {
    log.error("the place of a webhook could not be read", { webhook: record.id }, error);
    return new Map<string, never>();
  });
  const ended = attempts.filter(({ outcome }) => outcome !== "failed").map(({ position }) => position);
  const from = Math.max(record.since, clock.now() - deliveryLimits.oldestMs);
  const [head, first] = await Promise.all([store.head(), firstSince({ store, log }, from)]);
  const told = Number(touched.get(key)?.from ?? 0);
  const known = Math.max(0, ...ended, Number.isSafeInteger(told) ? told : 0);
  const before = first === undefined ? head.position : first - 1;
  const takenAt = attempts.find(({ outcome, position }) => outcome === "taken" && position > 0)?.at ?? null;
  // A repair may have cut the log behind what was kept here.
  return { record, doneTo: Math.min(head.position, Math.max(known, before)), takenAt };
}

async function firstSince(
  { store, log }: Pick<DeliveriesDeps, "store" | "log">,
  from: number,
): Promise<number | undefined> {
  try {
    return (await store.searchAudit({ order: "oldest", from, limit: 1 })).items[0]?.position;
  } catch (error) {
    log.error("the audit log could not be read for webhooks", {}, error);
    return undefined;
  }
}
