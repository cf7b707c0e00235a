import {
  type AuditEntryView,
  auditCheckRoute,
  auditRoute,
  auditVerifyRoute,
  auditWitnessRoute,
} from "@gatehouse/contract/routes";
import { auditFloorKey } from "@gatehouse/contract/records";
import type { AuditQuery, AuditRecord, Broken, Store, VerifyReport, Witness } from "@gatehouse/store";
import { type Route, route } from "../../platform/route/index.ts";
import { type AuditCheck, type AuditCheckReport, whatToDo } from "./open-audit-check.ts";

export interface AuditDeps {
  readonly store: Pick<Store, "get" | "head">;
  readonly witness: Witness;
  readonly check: Pick<AuditCheck, "reads" | "report">;
}

export function auditRoutes(deps: AuditDeps): readonly Route[] {
  let verifying: Promise<VerifyReport> | undefined;
  /** Reading the whole chain is the dearest read there is: whoever asks meanwhile gets the same answer. */
  const verify = () => {
    verifying ??= deps.check.reads.verifyAudit().finally(() => {
      verifying = undefined;
    });
    return verifying;
  };
  return [
    route(auditRoute, async ({ query }) => {
      const { items, next } = await deps.check.reads.searchAudit(toSearch(query));
      return { items: items.map(viewRecord), nextCursor: next === undefined ? null : String(next) };
    }),
    route(auditVerifyRoute, async () => {
      const { ok, floor, head, records, broken } = await verify();
      return {
        ok,
        floor: { ...floor },
        head: { ...head },
        records,
        broken: broken === undefined ? null : { ...broken },
      };
    }),
    route(auditCheckRoute, async () => {
      const head = await deps.store.head();
      const floor = await deps.store.get(auditFloorKey);
      return viewCheck(deps.check.report(), { head: head.position, floor: floor?.value.position ?? 0 });
    }),
    route(auditWitnessRoute, async ({ request }) => {
      return { ...(await deps.witness.sign(request.now)) };
    }),
  ];
}

function viewCheck(
  { state, isRunning, endedAt, last, verified, broken }: AuditCheckReport,
  { head, floor }: { readonly head: number; readonly floor: number },
) {
  const view = (found: Broken | undefined, todo: string) => (found === undefined ? null : { ...found, todo });
  return {
    state,
    isRunning,
    endedAt: endedAt === undefined ? null : new Date(endedAt).toISOString(),
    position: last?.head.position ?? null,
    verified: verified === undefined ? null : { position: verified.position, at: new Date(verified.at).toISOString() },
    newer: Math.max(head - (verified?.position ?? floor), 0),
    begins: floor + 1,
    broken: view(broken, whatToDo.broken),
    rebuilt: view(last?.rebuilt, whatToDo.rebuilt),
  };
}

interface AskedQuery {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly subject?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly text?: string | undefined;
  readonly limit?: string | undefined;
  readonly cursor?: string | undefined;
}

function toSearch({ actor, action, subject, from, to, text, limit, cursor }: AskedQuery): AuditQuery {
  return {
    ...(actor !== undefined && { actor }),
    ...(action !== undefined && { action }),
    ...(subject !== undefined && { subject }),
    ...(from !== undefined && { from: Date.parse(from) }),
    ...(to !== undefined && { to: Date.parse(to) }),
    ...(text !== undefined && { text }),
    ...(cursor !== undefined && { after: Number(cursor) }),
    limit: Number(limit ?? 50),
  };
}

function viewRecord(record: AuditRecord): AuditEntryView {
  return {
    position: record.position,
    at: new Date(record.at).toISOString(),
    actor: record.actor,
    action: record.action,
    subject: record.subject,
    outcome: record.outcome ?? "done",
    requestId: record.requestId ?? null,
    address: record.address ?? null,
    detail: { ...record.detail },
  };
}
