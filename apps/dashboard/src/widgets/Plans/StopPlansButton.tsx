import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "../../api/auth.ts";
import { plansStopQuery, stopPlans } from "../../api/plans.ts";
import { Button } from "../../ui/Button.tsx";
import { ApiErrorView } from "../ApiErrorView/ApiErrorView.tsx";
import { ReasonDialog } from "./ReasonDialog.tsx";

/** Stops all plans, for those who may. Seconds count then: no password is asked for. */
export function StopPlansButton() {
  const client = useQueryClient();
  const mayStop = useMay("plan:stop");
  const { data } = useQuery(plansStopQuery);
  const [isAsking, setAsking] = useState(false);
  const attempt = useMutation({
    mutationFn: stopPlans,
    onSuccess: (told) => {
      client.setQueryData(plansStopQuery.queryKey, told);
      setAsking(false);
    },
    onSettled: () => client.invalidateQueries({ queryKey: plansStopQuery.queryKey }),
  });
  if (!mayStop || data === undefined || data.stopped !== null) return null;
  return (
    <>
      <Button
        look="danger"
        onClick={() => {
          attempt.reset();
          setAsking(true);
        }}
      >
        Stop all plans…
      </Button>
      {isAsking && (
        <ReasonDialog
          title="Stop all plans"
          sentence="Nothing more is begun on any host, and no plan is started, until an owner lifts the stop. Hosts under way go on: each confirms or restores itself."
          hint="On one line. It stands on every page, and it stays in the audit log."
          confirm="Stop all plans"
          look="danger"
          busy={attempt.isPending}
          error={attempt.isError && <ApiErrorView error={attempt.error} title="Plans are not stopped" size="inline" />}
          onClose={() => setAsking(false)}
          onConfirm={(reason) => attempt.mutate(reason)}
        />
      )}
    </>
  );
}
