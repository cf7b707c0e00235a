import { type SignedStatement, writeContainer } from "@gatehouse/approval";
import { fault } from "@gatehouse/contract";
import type { PlanApproval, PlanRecord, ServerSettingsRecord } from "@gatehouse/contract/records";
import type { StoredRecord } from "@gatehouse/store";
import { put } from "@gatehouse/store/decide";
import { actorOf, entryOf, type Principal, type RequestFacts } from "../../platform/route/index.ts";
import { readServerSettings } from "../settings/index.ts";
import { readCounted } from "./approver-accounts.ts";
import { countAwaiting } from "./count-awaiting.ts";
import { type JudgedWord, judgeSignature, sayServerWord, type WantedServerWord } from "./judge-approval.ts";
import { readStanding, requireSameStatement } from "./kept-statements.ts";
import { plansLimits } from "./limits.ts";
import { getPlan } from "./make-plan.ts";
import type { TargetPlan } from "./move-plan.ts";
import type { openPlanHosts, PlanHost } from "./plan-hosts.ts";
import type { PlansDeps } from "./plans-deps.ts";
import { approvalsOf, stateAt } from "./view-plan.ts";

/** A signed statement in base64, or a person's word to this server. */
export type WantedApproval =
  | { readonly statement: string; readonly ssh: string }
  | ({ readonly server: true } & WantedServerWord);

export interface ApproveDeps extends Pick<PlansDeps, "store" | "blobs" | "decide" | "requireRights"> {
  readonly hostsOf: ReturnType<typeof openPlanHosts>;
}

/**
 * Takes an approval. What its hosts would say to it is judged first, of what they signed when the plan was made, which no longer
 * changes; what becomes of the plan is decided from all approvals that are there then. The same signature again changes nothing.
 */
export async function approvePlan(
  deps: ApproveDeps,
  principal: Principal,
  target: TargetPlan,
  { wanted, request }: { readonly wanted: WantedApproval; readonly request: RequestFacts },
): Promise<StoredRecord<PlanRecord>> {
  const { now } = request;
  const { value: seen } = await getPlan(deps.store, target.id);
  judgeApprover(seen, await readServerSettings(deps.store), principal, now);
  const hosts = await deps.hostsOf(seen);
  const { statement, ...word } = await takeWord(deps, wanted, { digest: seen.digest, hosts, now });
  const actor = actorOf(principal);
  const approval: PlanApproval = { ...word, user: principal.id, by: actor, at: now };
  return deps.decide([target.id], async (read) => {
    await deps.requireRights(read, principal, { scope: "plan:approve", now });
    const before = await getPlan(read, target.id);
    const kept = approvalsOf(before.value);
    if (statement !== undefined) await requireSameStatement(deps.blobs, kept, { id: approval.id, statement });
    // Before anything else: whoever sends it again has not heard that it was taken.
    if (kept.some(({ id, keyId }) => id === approval.id && keyId === approval.keyId)) return { result: () => before };
    if (before.version !== target.version) {
      throw fault("request.stale", `the plan ${target.id} has changed since it was read`);
    }
    judgeApprover(before.value, await readServerSettings(read), principal, now);
    judgeRoom(kept, approval.id);
    const approvals = [...kept, approval];
    const counted = await readCounted(read, { approvals });
    const awaiting = countAwaiting(hosts, await readStanding(deps.blobs, counted, now), now);
    const after = afterApproval(before.value, { approvals, awaiting, actor, now });
    return {
      entry: entryOf(request, {
        actor,
        action: "plan.approved",
        subject: before.key.text,
        detail: {
          digest: after.digest,
          title: after.title,
          approval: approval.id,
          kind: approval.kind,
          ...(approval.keyId !== undefined && { keyId: approval.keyId }),
          awaiting,
          own: after.author === principal.id,
        },
      }),
      changes: [put(before, after)],
      result: ({ version }) => ({ key: before.key, version, value: after }),
    };
  });
}

/** Whether this person may approve the plan as it is now, apart from what they say. */
export function mayApprove(
  { author }: Pick<PlanRecord, "author">,
  { plans }: ServerSettingsRecord,
  { id }: Pick<Principal, "id">,
): boolean {
  return author !== id || plans.selfApproval;
}

function judgeApprover(plan: PlanRecord, settings: ServerSettingsRecord, principal: Principal, now: number): void {
  const state = stateAt(plan, now);
  if (state !== "in_review" && state !== "approved") {
    throw fault("plan.move_refused", `it is ${state}; a plan is approved while it is in review, or not begun yet`);
  }
  if (!mayApprove(plan, settings, principal)) {
    const how = "an owner can allow it with `gatehouse settings set plans.selfApproval true`";
    throw fault("plan.self_approval", `you made this plan yourself; where one person runs everything, ${how}`);
  }
  const { stopped } = settings.plans;
  if (stopped !== null) throw fault("plan.stopped", `all plans are stopped: ${stopped.reason}`);
}

/** The word as it is judged, its bytes durable; `statement` where there is a signature. */
async function takeWord(
  { blobs }: Pick<PlansDeps, "blobs">,
  wanted: WantedApproval,
  { digest, hosts, now }: { readonly digest: string; readonly hosts: readonly PlanHost[]; readonly now: number },
): Promise<JudgedWord & { readonly container?: string; readonly statement?: SignedStatement }> {
  if ("server" in wanted) return sayServerWord(wanted, hosts, now);
  const statement = { statement: fromBase64(wanted.statement), ssh: fromBase64(wanted.ssh) };
  const bytes = writeContainer([statement]);
  const judged = judgeSignature(bytes, digest, hosts, now);
  return { ...judged, container: await blobs.put([bytes]), statement };
}

function judgeRoom(kept: readonly PlanApproval[], id: string): void {
  const { approvalsOfId, approvalsOfPlan } = plansLimits;
  if (kept.length >= approvalsOfPlan) {
    throw fault("plan.move_refused", `it has ${kept.length} approvals, and a plan has at most ${approvalsOfPlan}`);
  }
  const alike = kept.filter((one) => one.id === id).length;
  if (alike >= approvalsOfId) {
    throw fault("plan.move_refused", `${alike} have signed this statement, and hosts take at most ${approvalsOfId}`);
  }
}

/** A plan is approved as soon as no host waits any more. One that was stays so, also when others of its approvals end. */
function afterApproval(
  before: PlanRecord,
  { approvals, awaiting, actor, now }: Pick<Required<PlanRecord>, "approvals" | "awaiting" | "actor"> & { now: number },
): PlanRecord {
  if (before.state !== "in_review" || awaiting > 0) return { ...before, approvals, awaiting };
  const { reason: _, ...kept } = before;
  return { ...kept, approvals, awaiting, state: "approved", stateAt: now, movedBy: actor };
}

function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "base64"));
}
