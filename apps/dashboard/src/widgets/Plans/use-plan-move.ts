import type { WantedRun } from "@gatehouse/contract";
import type { Plan } from "@gatehouse/contract/routes";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Answer } from "../../api/client.ts";
import {
  applyPlan,
  approvePlanForServer,
  haltPlan,
  offerPlan,
  planQuery,
  rejectPlan,
  withdrawPlan,
} from "../../api/plans.ts";
import { toast } from "../../ui/toast-store.ts";
import type { PlanAct } from "./plan-rights.ts";

const calls = {
  approve: approvePlanForServer,
  apply: applyPlan,
  offer: offerPlan,
  withdraw: withdrawPlan,
  reject: rejectPlan,
  halt: haltPlan,
} as const;
/** Undoing moves no plan: it makes another. */
type MoveAct = Exclude<PlanAct, "undo">;
const said: Readonly<Record<MoveAct, string>> = {
  approve: "Your approval is taken",
  apply: "The plan is started",
  offer: "The plan is in review",
  withdraw: "The plan is withdrawn",
  reject: "The plan is rejected",
  halt: "Nothing more of the plan is sent",
};

export interface WantedMove {
  readonly act: MoveAct;
  /** The plan as the person saw it: a move of any other version is refused. */
  readonly seen: Answer<Plan>;
  readonly reason: string;
  readonly run?: WantedRun | undefined;
}

export function usePlanMove() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ act, seen: { data, etag }, reason, run }: WantedMove) => {
      if (etag === undefined) throw new Error("the plan was read without an ETag");
      return calls[act]({ id: data.id, etag, reason, run });
    },
    onSuccess: (_moved, { act }) => toast(said[act]),
    onSettled: (_moved, _error, { seen }) =>
      Promise.all([
        client.invalidateQueries({ queryKey: planQuery(seen.data.id).queryKey }),
        client.invalidateQueries({ queryKey: ["plans"] }),
        client.invalidateQueries({ queryKey: ["plan-tasks", seen.data.id] }),
      ]),
  });
}
