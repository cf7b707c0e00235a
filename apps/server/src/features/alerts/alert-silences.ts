import { newId } from "@gatehouse/base";
import { alertLimits, type AlertNodes, fault } from "@gatehouse/contract";
import { type AlertSilenceRecord, alertSilenceKind } from "@gatehouse/contract/records";
import type { StoredRecord } from "@gatehouse/store";
import { create, listRecords, remove } from "@gatehouse/store/decide";
import { recall } from "../../platform/idempotency/index.ts";
import { actorOf, entryOf, type Principal, type RequestFacts } from "../../platform/route/index.ts";
import { getAlertRule } from "./alert-rules.ts";
import type { AlertsDeps } from "./alerts-deps.ts";
import { coversNode } from "./covers-node.ts";

type SilenceDeps = Pick<AlertsDeps, "store" | "decide" | "requireRights">;

const turn = "alert-silences";
const longestMs = alertLimits.silenceDays * 24 * 60 * 60_000;

export interface WantedSilence {
  readonly appliesTo: AlertNodes;
  readonly rule?: string | undefined;
  readonly until: string;
  readonly reason: string;
}

/** Until when an alert is silenced: by the silence that lasts longest. Null where nobody has silenced it. */
export function silencedUntil(
  silences: readonly AlertSilenceRecord[],
  rule: string,
  node: { readonly id: string; readonly tags: readonly string[] },
  now: number,
): number | null {
  let latest: number | null = null;
  for (const silence of silences) {
    if (silence.until <= now || (silence.rule !== null && silence.rule !== rule)) continue;
    if (coversNode(silence.appliesTo, node)) latest = Math.max(latest ?? 0, silence.until);
  }
  return latest;
}

export async function createSilence(
  deps: SilenceDeps,
  principal: Principal,
  wanted: WantedSilence,
  request: RequestFacts,
  key: string | undefined,
): Promise<AlertSilenceRecord> {
  const { now } = request;
  return deps.decide([turn], async (read) => {
    await deps.requireRights(read, principal, { scope: "node:admin", now });
    const asked = { userId: principal.id, route: "alert-silences", key, request: wanted, now };
    const remembered = await recall(read, asked);
    if (remembered.resultId !== undefined) {
      const made = await getSilence(read, remembered.resultId);
      return { result: () => made.value };
    }
    const until = Date.parse(wanted.until);
    if (until <= now || until > now + longestMs) {
      throw fault("alert.silence_time", `a silence ends at most ${alertLimits.silenceDays} days from now`);
    }
    const rule = wanted.rule === undefined ? null : (await getAlertRule(read, wanted.rule)).id;
    const all = await listRecords(deps.store, alertSilenceKind);
    if (all.length >= alertLimits.silences) {
      throw fault("alert.too_many_silences", `at most ${alertLimits.silences} silences last, there are ${all.length}`);
    }
    const by = actorOf(principal);
    const { appliesTo, reason } = wanted;
    const record = { id: newId("silence", now), appliesTo, rule, until, reason, at: now, by };
    const recordKey = alertSilenceKind.key(record.id);
    return {
      entry: entryOf(request, {
        actor: by,
        action: "alert.silenced",
        subject: recordKey.text,
        detail: wordsOf(record),
      }),
      changes: [create(recordKey, record), ...remembered.keep(record.id)],
      result: () => record,
    };
  });
}

export async function endSilence(
  deps: SilenceDeps,
  principal: Principal,
  id: string,
  request: RequestFacts,
): Promise<undefined> {
  return deps.decide([turn], async (read) => {
    await deps.requireRights(read, principal, { scope: "node:admin", now: request.now });
    const found = await getSilence(read, id);
    return {
      entry: entryOf(request, {
        actor: actorOf(principal),
        action: "alert.silence_ended",
        subject: found.key.text,
        detail: { ...wordsOf(found.value), expired: false },
      }),
      changes: [remove(found)],
      result: () => undefined,
    };
  });
}

/** Takes away the silences whose time is over, and says so. */
export async function endExpiredSilences(deps: Pick<SilenceDeps, "store" | "decide">, now: number): Promise<void> {
  for (const { key, value } of await listRecords(deps.store, alertSilenceKind)) {
    if (value.until > now) continue;
    await deps.decide([turn], async (read) => {
      const found = await read.get(key);
      if (found === undefined) return { result: () => undefined };
      const detail = { ...wordsOf(found.value), expired: true };
      return {
        entry: { at: now, actor: "system", action: "alert.silence_ended", subject: key.text, detail },
        changes: [remove(found)],
        result: () => undefined,
      };
    });
  }
}

async function getSilence(
  read: Pick<SilenceDeps["store"], "get">,
  id: string,
): Promise<StoredRecord<AlertSilenceRecord>> {
  const found = await read.get(alertSilenceKind.key(id));
  if (found === undefined) throw fault("alert.silence_unknown", `there is no silence ${id}`);
  return found;
}

function wordsOf({ id, appliesTo, rule, until, reason }: AlertSilenceRecord) {
  return { silence: id, appliesTo, rule, until, reason };
}
