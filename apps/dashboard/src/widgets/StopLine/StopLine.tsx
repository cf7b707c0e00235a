import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "../../api/auth.ts";
import { endPlansStop, type PlansStop, plansStopQuery } from "../../api/plans.ts";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { Mark } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import { toast } from "../../ui/toast-store.ts";
import { ApiErrorView } from "../ApiErrorView/ApiErrorView.tsx";
import { usePlanPeople } from "../Plans/use-plan-people.ts";
import { asSentence, withinSentence } from "../Plans/reason.ts";
import styles from "./StopLine.module.css";

export interface StopLineProps {
  readonly stopped: NonNullable<PlansStop["stopped"]>;
}

/** That all plans are stopped: by whom, since when and why; and the way out, for whoever has it. */
export function StopLine({ stopped }: StopLineProps) {
  const client = useQueryClient();
  const mayLift = useMay("settings:admin");
  const nameOf = usePlanPeople();
  const [isAsking, setAsking] = useState(false);
  const lift = useMutation({
    mutationFn: endPlansStop,
    onSuccess: () => {
      toast("The stop of all plans is lifted");
      setAsking(false);
    },
    onSettled: () => client.invalidateQueries({ queryKey: plansStopQuery.queryKey }),
  });
  const ask = (): void => {
    lift.reset();
    setAsking(true);
  };
  return (
    <div className={styles.line}>
      <Mark state="bad" />
      <p className={styles.words} role="status">
        <strong>All plans stopped</strong> by {withinSentence(nameOf(stopped.by))}, <Time at={stopped.at} />:{" "}
        {asSentence(stopped.reason)}
      </p>
      {mayLift && (
        <Button size="small" onClick={ask}>
          Lift…
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => lift.mutate()}
        busy={lift.isPending}
        title="Lift the stop"
        sentence="Plans may be begun again from now on. Nothing begins by this alone: each plan that was halted goes on when somebody says so."
        confirm="Lift the stop of all plans"
        error={lift.isError && <ApiErrorView error={lift.error} title="The stop was not lifted" size="inline" />}
      />
    </div>
  );
}
