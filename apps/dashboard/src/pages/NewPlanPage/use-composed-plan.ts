import type { Plan } from "@gatehouse/contract/routes";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { isApiError } from "../../api/api-error.ts";
import { createPlan, offerPlan, planQuery, type PlanWish } from "../../api/plans.ts";
import { useFollow } from "../../ui/Link.tsx";
import { isOpenPlan } from "../../widgets/Plans/plan-state.ts";
import { useRequestKey } from "../../widgets/use-request-key.ts";

/** The plan that was made from what stands in the form: the hosts were read for it, and nobody is asked to review it yet. */
export interface ComposedPlan {
  readonly plan: Plan | undefined;
  /** What is typed now is no longer what the plan was made from. */
  readonly isStale: boolean;
  readonly isReading: boolean;
  readonly readError: Error | null;
  readonly read: (wish: PlanWish) => void;
  readonly isOffering: boolean;
  readonly offerError: Error | null;
  readonly offer: () => void;
}

export function useComposedPlan(wish: PlanWish): ComposedPlan {
  const client = useQueryClient();
  const follow = useFollow();
  const requestKey = useRequestKey();
  const [made, setMade] = useState<{ readonly id: string; readonly from: string }>();
  const known = useQuery({ ...planQuery(made?.id ?? ""), enabled: made !== undefined });
  const plan = made === undefined ? undefined : known.data?.data;
  const changed = () => client.invalidateQueries({ queryKey: ["plans"] });
  const reading = useMutation({
    mutationFn: async (asked: PlanWish) => {
      // A plan is never changed: what is read anew takes the place of what was read before.
      const isReplaced = plan !== undefined && isOpenPlan(plan) && plan.state !== "in_review";
      const whole = isReplaced ? { ...asked, replaces: plan.id } : asked;
      const { id } = await createPlan(whole, requestKey.of(whole));
      await client.ensureQueryData(planQuery(id));
      return { id, from: JSON.stringify(asked) };
    },
    onSuccess: setMade,
    onError: (error) => {
      if (isApiError(error) && error.status > 0) requestKey.forget();
    },
    onSettled: changed,
  });
  const offering = useMutation({
    mutationFn: async () => {
      if (made === undefined || known.data?.etag === undefined) throw new Error("the plan was read without an ETag");
      return offerPlan({ id: made.id, etag: known.data.etag, reason: "" });
    },
    onSuccess: ({ id }) => follow(`/plans/${id}`),
    onSettled: () =>
      Promise.all([changed(), client.invalidateQueries({ queryKey: planQuery(made?.id ?? "").queryKey })]),
  });
  return {
    plan,
    isStale: made !== undefined && made.from !== JSON.stringify(wish),
    isReading: reading.isPending,
    // Of what was asked then; who writes something else is not told of it any more.
    readError: JSON.stringify(reading.variables) === JSON.stringify(wish) ? reading.error : null,
    read: (asked) => {
      requestKey.forget();
      reading.mutate(asked);
    },
    isOffering: offering.isPending,
    offerError: offering.error,
    offer: () => offering.mutate(),
  };
}
