import { fault } from "@gatehouse/contract";
import type { PlanRecord } from "@gatehouse/contract/records";
import type { StoredRecord } from "@gatehouse/store";
import { put, type Reads } from "@gatehouse/store/decide";
import { actorOf, entryOf, type Principal, type RequestFacts } from "../../platform/route/index.ts";
import { readServerSettings } from "../settings/index.ts";
import { getPlan } from "./make-plan.ts";
import type { PlansDeps } from "./plans-deps.ts";

type HaltDeps = Pick<PlansDeps, "decide" | "clock">;

/** Halts a plan while all plans are stopped. What was sent before is still answered by its hosts. */
export function haltForStop(deps: HaltDeps, id: string): Promise<void> {
  return haltByItself(deps, id, async (read) => (await readServerSettings(read)).plans.stopped?.reason);
}

/** Halts a plan because too many of its hosts have not kept the change. */
export function haltForEnds(deps: HaltDeps, id: string, reason: string): Promise<void> {
  return haltByItself(deps, id, () => Promise.resolve(reason));
}

function haltByItself(
  { decide, clock }: HaltDeps,
  id: string,
  findReason: (read: Reads) => Promise<string | undefined>,
): Promise<void> {
  return decide([id], async (read) => {
    const found = await getPlan(read, id);
    const reason = await findReason(read);
    if (reason === undefined || found.value.state !== "running") return { result: () => undefined };
    const now = clock.now();
    return {
      entry: {
        at: now,
        actor: "system",
        action: "plan.halted",
        subject: found.key.text,
        outcome: "done",
        detail: haltDetail(found.value, reason),
      },
      changes: [put(found, halted(found.value, { now, by: "system", reason }))],
      result: () => undefined,
    };
  });
}

/** Halts a plan because a person says so. One that is halted already stays as it is. */
export function haltByHand(
  deps: Pick<PlansDeps, "decide" | "requireRights">,
  principal: Principal,
  { id, reason, request }: { readonly id: string; readonly reason: string; readonly request: RequestFacts },
): Promise<StoredRecord<PlanRecord>> {
  const { now } = request;
  return deps.decide([id], async (read) => {
    await deps.requireRights(read, principal, { scope: "plan:stop", now });
    const found = await getPlan(read, id);
    const { state } = found.value;
    if (state === "halted") return { result: () => found };
    if (state !== "running") throw fault("plan.move_refused", `it is ${state}, and only one that runs is halted`);
    const actor = actorOf(principal);
    const after = halted(found.value, { now, by: actor, reason });
    return {
      entry: entryOf(request, {
        actor,
        action: "plan.halted",
        subject: found.key.text,
        detail: haltDetail(found.value, reason),
      }),
      changes: [put(found, after)],
      result: ({ version }) => ({ key: found.key, version, value: after }),
    };
  });
}

function haltDetail({ digest, title }: PlanRecord, reason: string) {
  return { digest, title, reason };
}

function halted(
  plan: PlanRecord,
  { now, by, reason }: { readonly now: number; readonly by: string; readonly reason: string },
): PlanRecord {
  return { ...plan, state: "halted", stateAt: now, movedBy: by, reason };
}
