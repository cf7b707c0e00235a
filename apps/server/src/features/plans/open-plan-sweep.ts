import { runAll } from "@gatehouse/base";
import { isFault, isPlanEnd } from "@gatehouse/contract";
import { type PlanRecord, planKind } from "@gatehouse/contract/records";
import type { StoredRecord } from "@gatehouse/store";
import { listRecords, put, remove } from "@gatehouse/store/decide";
import { plansLimits } from "./limits.ts";
import type { PlansDeps } from "./plans-deps.ts";
import { stateAt, timeIsOver } from "./view-plan.ts";

export type PlanSweepDeps = Pick<PlansDeps, "store" | "decide" | "blobs" | "blobsOfOthers" | "clock" | "log" | "every">;

/** Says of plans whose time is over that they expired, forgets those that ended long ago, and removes bytes that none names. */
export function openPlanSweep(deps: PlanSweepDeps) {
  let underWay: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    try {
      await sweepPlans(deps);
    } catch (error) {
      if (!isFault(error, "store.closed")) deps.log.error("plans could not be swept", {}, error);
    } finally {
      underWay = undefined;
    }
  };
  const stop = deps.every(plansLimits.sweepMs, () => {
    underWay ??= run();
  });
  return {
    close: async (): Promise<void> => {
      stop();
      await underWay;
    },
  };
}

export async function sweepPlans(deps: Omit<PlanSweepDeps, "every" | "log">): Promise<void> {
  const now = deps.clock.now();
  const all = await listRecords(deps.store, planKind);
  const overdue = all.filter(({ value }) => stateAt(value, now) !== value.state);
  await runAll([
    // First, and whatever becomes of the others: on a full disk nothing can be written until this has made room.
    () => collectStrays(deps, all),
    ...overdue.map(
      ({ value }) =>
        () =>
          expire(deps, value.id, now),
    ),
    () => forget(deps, all, now),
  ]);
}

/** A plan that is kept meanwhile names bytes that are younger than the limit. */
async function collectStrays(
  { blobs, blobsOfOthers }: Pick<PlanSweepDeps, "blobs" | "blobsOfOthers">,
  all: readonly StoredRecord<PlanRecord>[],
): Promise<void> {
  const named = new Set([...all.flatMap(({ value }) => blobsOfPlan(value)), ...(await blobsOfOthers())]);
  await blobs.collect((digest) => named.has(digest), plansLimits.strayBlobMs);
}

/** Every blob that a plan's record names. */
export function blobsOfPlan({ document, evidence, question, outcomes, approvals = [], run }: PlanRecord): string[] {
  const named = [document, evidence, question, outcomes, run?.order, ...approvals.map(({ container }) => container)];
  return named.filter((name) => name !== undefined);
}

async function expire({ decide }: Pick<PlanSweepDeps, "decide">, id: string, now: number): Promise<void> {
  await decide([id], async (read) => {
    const found = await read.get(planKind.key(id));
    if (found === undefined || stateAt(found.value, now) === found.value.state) return { result: () => undefined };
    const { digest, title, state: from } = found.value;
    return {
      entry: {
        at: now,
        actor: "system",
        action: "plan.expired",
        subject: found.key.text,
        outcome: "done",
        detail: { digest, title, from, reason: timeIsOver },
      },
      changes: [put(found, { ...found.value, state: "expired", stateAt: now, movedBy: "system", reason: timeIsOver })],
      result: () => undefined,
    };
  });
}

async function forget(
  { decide }: Pick<PlanSweepDeps, "decide">,
  all: readonly StoredRecord<PlanRecord>[],
  now: number,
): Promise<void> {
  const isOld = ({ state, stateAt: ended }: PlanRecord) => isPlanEnd(state) && ended + plansLimits.endedMs <= now;
  const old = all.filter(({ value }) => isOld(value)).slice(0, plansLimits.clearedAtOnce);
  if (old.length === 0) return;
  await decide(
    old.map(({ value }) => value.id),
    async () => ({
      entry: {
        at: now,
        actor: "system",
        action: "plan.forgotten",
        subject: "plan",
        outcome: "done",
        detail: { plans: old.length },
      },
      changes: old.map((record) => remove(record)),
      result: () => undefined,
    }),
  );
}
