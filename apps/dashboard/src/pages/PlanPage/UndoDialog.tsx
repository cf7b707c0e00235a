import type { Plan } from "@gatehouse/contract/routes";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { isApiError } from "../../api/api-error.ts";
import { undoPlan } from "../../api/plans.ts";
import { Checkbox } from "../../ui/Choices.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { CopyText } from "../../ui/CopyText.tsx";
import { ErrorView } from "../../ui/ErrorView.tsx";
import { useFollow } from "../../ui/Link.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { useRequestKey } from "../../widgets/use-request-key.ts";
import { noWayBack } from "./no-way-back.ts";
import styles from "./PlanPage.module.css";

export interface UndoDialogProps {
  readonly plan: Plan;
  readonly onClose: () => void;
}

/** Draws up the plan that takes this one back, and goes there: it is reviewed and approved as every plan. */
export function UndoDialog({ plan, onClose }: UndoDialogProps) {
  const client = useQueryClient();
  const follow = useFollow();
  const requestKey = useRequestKey();
  const [skipOffline, setSkipOffline] = useState(false);
  const wish = { skipOffline };
  const attempt = useMutation({
    mutationFn: () => undoPlan(plan.id, wish, requestKey.of(wish)),
    onSuccess: ({ id }) => follow(`/plans/${id}`),
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
      title="Undo the plan"
      sentence={`This draws up another plan, which puts back what hosts had before “${plan.title}”, on every host that has kept the change. It is judged, reviewed and approved as every plan; nothing is changed before it is applied.`}
      confirm="Draw up the plan"
      error={attempt.isError && <NotUndone plan={plan} error={attempt.error} />}
    >
      <p>
        What was there before comes back whatever was changed since: a later plan that changed the same part is taken
        back with it. A restart cannot be undone.
      </p>
      <Checkbox
        label="Leave out hosts that are not connected"
        hint="Otherwise no plan is made while one of them is away."
        checked={skipOffline}
        onChange={setSkipOffline}
      />
    </ConfirmDialog>
  );
}

/** Where there is no way back, each host is named with what stands in it. */
function NotUndone({ plan, error }: { readonly plan: Plan; readonly error: Error }) {
  const { hosts, more } = noWayBack(error);
  if (hosts.length === 0 || !isApiError(error)) {
    return <ApiErrorView error={error} title="No plan was made" size="inline" />;
  }
  const count = hosts.length + more;
  return (
    <>
      <ErrorView
        title={`No plan was made: ${count.toLocaleString("en-GB")} ${count === 1 ? "host has" : "hosts have"} no way back`}
        detail="A fleet that is half taken back is worse than one that is not. Make a plan of your own for what is named here."
        code={error.code}
        requestId={error.requestId}
        size="inline"
      />
      <ul className={styles.noWay} aria-label="Hosts without a way back">
        {hosts.map(({ node, name, why }) => (
          <li key={node}>
            <b>{name}</b>: {why.join("; ")}
          </li>
        ))}
        {more > 0 && <li>and {more.toLocaleString("en-GB")} more</li>}
      </ul>
      {count < (plan.ended?.applied ?? plan.nodes) && (
        <p>
          For the others, by name:{" "}
          <CopyText text={`gatehouse plan undo ${plan.id} --node NAME`} label="command" whole />
        </p>
      )}
    </>
  );
}
