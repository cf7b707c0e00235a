import { type UseQueryResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { endSilence } from "../../api/alert-changes.ts";
import type { AlertSilence } from "../../api/alerts.ts";
import { isApiError } from "../../api/api-error.ts";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { type Column, Table } from "../../ui/Table.tsx";
import { toast } from "../../ui/toast-store.ts";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { ClockTime } from "../../widgets/Alerts/SaidAlert.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import styles from "./AlertsPage.module.css";

export interface SilenceListProps {
  readonly silences: UseQueryResult<{ readonly items: readonly AlertSilence[] }>;
  readonly say: (silence: AlertSilence) => string;
  readonly nameOf: (actor: string) => string;
  readonly mayEnd: boolean;
}

/** Of what nobody is told, until when, and why. */
export function SilenceList({ silences, say, nameOf, mayEnd }: SilenceListProps) {
  const [ending, setEnding] = useState<AlertSilence>();
  const all = silences.data?.items;
  return (
    <div className={styles.panel}>
      {silences.isPending && <Skeleton shape="rows" count={4} columns={4} label="Reading silences" />}
      {silences.isError && (
        <ApiErrorView
          error={silences.error}
          title={all === undefined ? "Silences could not be read" : "This is not up to date"}
          size={all === undefined ? "block" : "inline"}
          onRetry={() => void silences.refetch()}
          retrying={silences.isFetching}
        />
      )}
      {all?.length === 0 && (
        <Empty title="Nothing is silenced.">
          <p>While hosts are worked on, their alerts can be silenced for a time: they open, and nobody is told.</p>
        </Empty>
      )}
      {all !== undefined && all.length > 0 && (
        <Table
          label="Silences"
          columns={columnsOf(say, nameOf, mayEnd ? setEnding : undefined)}
          rows={all}
          rowKey={({ id }) => id}
        />
      )}
      {ending !== undefined && <EndDialog silence={ending} what={say(ending)} onClose={() => setEnding(undefined)} />}
    </div>
  );
}

const columnsOf = (
  say: SilenceListProps["say"],
  nameOf: SilenceListProps["nameOf"],
  onEnd: ((silence: AlertSilence) => void) | undefined,
): readonly Column<AlertSilence>[] => [
  { key: "what", head: "Silenced", least: 220, cell: (silence) => <b>{say(silence)}</b> },
  {
    key: "until",
    head: "Until",
    least: 110,
    phone: "time",
    cell: ({ until }) => (
      <span className={styles.since}>
        <span className={styles.sinceWord}>until </span>
        <ClockTime at={until} />
      </span>
    ),
  },
  { key: "reason", head: "Reason", least: 200, width: "wide", cell: ({ reason }) => `“${reason}”` },
  { key: "by", head: "By", least: 100, phoneLabel: true, cell: ({ by }) => nameOf(by) },
  ...(onEnd === undefined
    ? []
    : [
        {
          key: "act",
          head: "Action",
          width: "narrow",
          align: "end",
          phone: "act",
          cell: (silence: AlertSilence) => (
            <Button size="small" onClick={() => onEnd(silence)}>
              End…<VisuallyHidden> the silence of {say(silence)}</VisuallyHidden>
            </Button>
          ),
        } satisfies Column<AlertSilence>,
      ]),
];

interface EndDialogProps {
  readonly silence: AlertSilence;
  readonly what: string;
  readonly onClose: () => void;
}

function EndDialog({ silence, what, onClose }: EndDialogProps) {
  const client = useQueryClient();
  const attempt = useMutation({
    mutationFn: () => endSilence(silence.id),
    onSuccess: () => {
      toast("The silence has ended");
      onClose();
    },
    onError: (error) => {
      // It has ended by itself, or somebody else was faster: what was wanted is so.
      if (isApiError(error, "alert.silence_unknown")) onClose();
    },
    onSettled: () =>
      Promise.all(["alerts", "alert-silences"].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => attempt.mutate()}
      busy={attempt.isPending}
      title="End the silence"
      sentence={`From now on people are told again of ${what}.`}
      confirm="End the silence"
      error={attempt.isError && <ApiErrorView error={attempt.error} title="The silence goes on" size="inline" />}
    />
  );
}
