import type { Node } from "@gatehouse/contract/routes";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { isApiError } from "../../api/api-error.ts";
import { planDriftBack } from "../../api/nodes.ts";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { useFollow } from "../../ui/Link.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { useRequestKey } from "../../widgets/use-request-key.ts";

export interface PlanBackDialogProps {
  readonly node: Pick<Node, "id" | "name">;
  readonly onClose: () => void;
}

/** Draws up the plan that gives the host back what was confirmed, and goes there: it is reviewed and approved as every plan. */
export function PlanBackDialog({ node: { id, name }, onClose }: PlanBackDialogProps) {
  const client = useQueryClient();
  const follow = useFollow();
  const requestKey = useRequestKey();
  const attempt = useMutation({
    mutationFn: () => planDriftBack(id, requestKey.of({ id })),
    onSuccess: (plan) => follow(`/plans/${plan.id}`),
    onError: (error) => {
      if (isApiError(error) && error.status > 0) requestKey.forget();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["plans"] }),
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => attempt.mutate()}
      busy={attempt.isPending}
      title={`Plan ${name} back`}
      sentence={`This draws up a plan with what was confirmed last on every part of ${name} that differs now. It is judged, reviewed and approved as every plan; nothing is changed before it is applied.`}
      confirm="Draw up the plan"
      error={attempt.isError && <ApiErrorView error={attempt.error} title="No plan was made" size="inline" />}
    >
      <p>
        Whoever changed the host by hand may have had a reason: what they did there is lost when the plan is applied.
      </p>
    </ConfirmDialog>
  );
}
