import { newId } from "@gatehouse/base";
import { fault, type Scope, type WebhookEvent, webhookEventNames, webhookLimits } from "@gatehouse/contract";
import { type WebhookRecord, webhookKind } from "@gatehouse/contract/records";
import type { Secrets, Store, StoredRecord } from "@gatehouse/store";
import { create, type Decide, put, type Reads, remove } from "@gatehouse/store/decide";
import { recall } from "../../platform/idempotency/index.ts";
import { actorOf, entryOf, type Principal, type RequestFacts } from "../../platform/route/index.ts";
import { newNoticeSecret } from "./sign-notice.ts";

export interface KeptWebhooksDeps {
  readonly store: Pick<Store, "get" | "list">;
  readonly decide: Decide;
  readonly secrets: Pick<Secrets, "seal">;
  readonly requireRights: (
    read: Reads,
    principal: Principal,
    asked: { readonly scope: Scope; readonly now: number },
  ) => Promise<unknown>;
}

interface Asker {
  readonly principal: Principal;
  readonly request: RequestFacts;
}

interface Wanted {
  readonly name: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
}

/** The webhook as it is now, with a secret that is in this one answer. */
interface WithSecret {
  readonly record: WebhookRecord;
  readonly secret: string;
}

/** So that two of them cannot both find room for the last. */
const turn = "webhooks";

export function addWebhook(
  deps: KeptWebhooksDeps,
  { principal, request }: Asker,
  wanted: Wanted,
  idempotencyKey: string | undefined,
): Promise<WithSecret> {
  const { now } = request;
  const { name } = wanted;
  const events = inOrder(wanted.events);
  return deps.decide([turn], async (read) => {
    await requireAdmin(deps, read, principal, now);
    // Without the address: it may be a secret, and a digest of it could be guessed.
    const asked = { userId: principal.id, route: "webhooks", key: idempotencyKey, request: { name, events }, now };
    const remembered = await recall(read, asked);
    if (remembered.resultId !== undefined) {
      throw fault("webhook.already_made", `the key belongs to the webhook ${remembered.resultId}`);
    }
    const known = await deps.store.list(webhookKind, { limit: webhookLimits.webhooks });
    if (known.length >= webhookLimits.webhooks) {
      throw fault("webhook.too_many", `a server has at most ${webhookLimits.webhooks} webhooks`);
    }
    const id = newId("webhook", now);
    const secret = newNoticeSecret();
    const actor = actorOf(principal);
    const record: WebhookRecord = {
      id,
      name,
      ...sealUrl(deps, id, wanted.url),
      secret: seal(deps, id, "secret", secret),
      events,
      enabled: true,
      since: now,
      failing: null,
      createdAt: now,
      createdBy: actor,
    };
    const { origin } = record;
    const key = webhookKind.key(id);
    return {
      entry: entryOf(request, {
        actor,
        action: "webhook.created",
        subject: key.text,
        detail: { name, origin, events },
      }),
      changes: [create(key, record), ...remembered.keep(id)],
      result: () => ({ record, secret }),
    };
  });
}

export function changeWebhook(
  deps: KeptWebhooksDeps,
  { principal, request }: Asker,
  id: string,
  wanted: { readonly [Name in keyof Wanted]?: Wanted[Name] | undefined } & { readonly enabled?: boolean | undefined },
): Promise<WebhookRecord> {
  return deps.decide([webhookKind.key(id).text], async (read) => {
    await requireAdmin(deps, read, principal, request.now);
    const found = await getWebhook(read, id);
    const before = found.value;
    const enabled = wanted.enabled ?? before.enabled;
    const isAnew = wanted.url !== undefined || enabled !== before.enabled;
    const after: WebhookRecord = {
      ...before,
      name: wanted.name ?? before.name,
      ...(wanted.url !== undefined && sealUrl(deps, id, wanted.url)),
      events: wanted.events === undefined ? before.events : inOrder(wanted.events),
      enabled,
      // What happened while it was off is not told.
      since: enabled && !before.enabled ? request.now : before.since,
      failing: isAnew ? null : before.failing,
    };
    const { name, origin, events } = after;
    return {
      entry: entryOf(request, {
        actor: actorOf(principal),
        action: "webhook.changed",
        subject: found.key.text,
        detail: { name, origin, events, enabled, changed: Object.keys(wanted).toSorted() },
      }),
      changes: [put(found, after)],
      result: () => after,
    };
  });
}

export function renewSecret(deps: KeptWebhooksDeps, { principal, request }: Asker, id: string): Promise<WithSecret> {
  return deps.decide([webhookKind.key(id).text], async (read) => {
    await requireAdmin(deps, read, principal, request.now);
    const found = await getWebhook(read, id);
    const secret = newNoticeSecret();
    const record = { ...found.value, secret: seal(deps, id, "secret", secret) };
    const { name, origin } = record;
    return {
      entry: entryOf(request, {
        actor: actorOf(principal),
        action: "webhook.secret_renewed",
        subject: found.key.text,
        detail: { name, origin },
      }),
      changes: [put(found, record)],
      result: () => ({ record, secret }),
    };
  });
}

export function removeWebhook(deps: KeptWebhooksDeps, { principal, request }: Asker, id: string): Promise<undefined> {
  return deps.decide([turn, webhookKind.key(id).text], async (read) => {
    await requireAdmin(deps, read, principal, request.now);
    const found = await getWebhook(read, id);
    const { name, origin } = found.value;
    return {
      entry: entryOf(request, {
        actor: actorOf(principal),
        action: "webhook.removed",
        subject: found.key.text,
        detail: { name, origin },
      }),
      changes: [remove(found)],
      result: () => undefined,
    };
  });
}

/** Says in the audit log, once, that a webhook does not take notices, or takes them again. */
export function noteFailing(
  { decide }: Pick<KeptWebhooksDeps, "decide">,
  id: string,
  turned: { readonly at: number; readonly reason: string | null },
): Promise<undefined> {
  const { at, reason } = turned;
  return decide([webhookKind.key(id).text], async (read) => {
    const found = await read.get(webhookKind.key(id));
    const was = found?.value.failing ?? null;
    const none = { result: () => undefined };
    if (found === undefined || (was === null) === (reason === null)) return none;
    const { name, origin } = found.value;
    const facts = { at, actor: "system", subject: found.key.text } as const;
    return {
      entry:
        reason === null
          ? {
              ...facts,
              action: "webhook.recovered",
              outcome: "done",
              detail: { name, origin, since: was?.since ?? at },
            }
          : { ...facts, action: "webhook.failing", outcome: "failed", detail: { name, origin, reason } },
      changes: [put(found, { ...found.value, failing: reason === null ? null : { since: at, reason } })],
      ...none,
    };
  });
}

/** Those that are on and do not take notices, with the reason and since when. */
export async function listFailing({ store }: Pick<KeptWebhooksDeps, "store">) {
  const known = await store.list(webhookKind, { limit: webhookLimits.webhooks });
  return known.flatMap(({ value: { id, name, enabled, failing } }) =>
    enabled && failing !== null ? [{ id, name, ...failing }] : [],
  );
}

export async function getWebhook(read: Reads, id: string): Promise<StoredRecord<WebhookRecord>> {
  const found = await read.get(webhookKind.key(id));
  if (found === undefined) throw fault("webhook.unknown", `there is no webhook ${id}`);
  return found;
}

function requireAdmin({ requireRights }: KeptWebhooksDeps, read: Reads, principal: Principal, now: number) {
  return requireRights(read, principal, { scope: "settings:admin", now });
}

function sealUrl(
  deps: Pick<KeptWebhooksDeps, "secrets">,
  id: string,
  url: string,
): Pick<WebhookRecord, "url" | "origin"> {
  return { url: seal(deps, id, "url", url), origin: new URL(url).origin };
}

function seal({ secrets }: Pick<KeptWebhooksDeps, "secrets">, id: string, field: string, plain: string): string {
  return secrets.seal({ kind: webhookKind.name, id, field }, plain);
}

/** In the order of the table, however they came. */
function inOrder(events: readonly WebhookEvent[]): WebhookEvent[] {
  return webhookEventNames.filter((one) => events.includes(one));
}
