import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "../../api/auth.ts";
import { endPlansStop, plansStopQuery, stopPlans } from "../../api/plans.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { Time } from "../../ui/Time.tsx";
import { toast } from "../../ui/toast-store.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { ReasonDialog } from "../../widgets/Plans/ReasonDialog.tsx";

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
          sentence="Nothing more is begun on any host, until an owner ends the stop. Plans can still be made, reviewed and rejected."
          hint="On one line. Everybody who opens the plans reads it, and it stays in the audit log."
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

/** Stands above the plans while all of them are stopped: since when, by whom and why. */
export function StopBanner({ nameOf }: { readonly nameOf: (actor: string) => string }) {
  const client = useQueryClient();
  const mayEnd = useMay("settings:admin");
  const stop = useQuery(plansStopQuery);
  const [isAsking, setAsking] = useState(false);
  const end = useMutation({
    mutationFn: endPlansStop,
    onSuccess: () => {
      toast("The stop of all plans is ended");
      setAsking(false);
    },
    onSettled: () => client.invalidateQueries({ queryKey: plansStopQuery.queryKey }),
  });
  if (stop.isError) {
    return <ApiErrorView error={stop.error} title="Whether plans are stopped could not be read" size="inline" />;
  }
  const stopped = stop.data?.stopped ?? null;
  if (stopped === null) return null;
  const ask = (
    <Button
      size="small"
      onClick={() => {
        end.reset();
        setAsking(true);
      }}
    >
      End the stop…
    </Button>
  );
  return (
    <>
      <Banner state="bad" live title="All plans are stopped." action={mayEnd && ask}>
        {nameOf(stopped.by)}, <Time at={stopped.at} />: {stopped.reason}
        {!mayEnd && " An owner can end it."}
      </Banner>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => end.mutate()}
        busy={end.isPending}
        title="End the stop"
        sentence="Plans may be begun again from now on. Nothing begins by this alone."
        confirm="End the stop of all plans"
        error={end.isError && <ApiErrorView error={end.error} title="The stop was not ended" size="inline" />}
      />
    </>
  );
}
