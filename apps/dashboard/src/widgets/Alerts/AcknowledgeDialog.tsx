import type { Alert } from "@gatehouse/contract/routes";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { acknowledgeAlert } from "../../api/alert-changes.ts";
import { isApiError } from "../../api/api-error.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Field } from "../../ui/Field.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { toast } from "../../ui/toast-store.ts";
import { ApiErrorView } from "../ApiErrorView/ApiErrorView.tsx";
import { asOneLine, mostReason } from "../Plans/reason.ts";
import styles from "./Alerts.module.css";
import { sayAlert } from "./say-alert.ts";

export interface AcknowledgeDialogProps {
  readonly alert: Alert;
  readonly onClose: () => void;
}

/** Puts one's own name beside an alert. */
export function AcknowledgeDialog({ alert, onClose }: AcknowledgeDialogProps) {
  const { id, nodeName } = alert;
  const { what, rule } = sayAlert(alert);
  const form = useId();
  const client = useQueryClient();
  const [note, setNote] = useState("");
  const attempt = useMutation({
    mutationFn: () => acknowledgeAlert(id, asOneLine(note)),
    onSuccess: () => {
      toast(`${what} on ${nodeName} is acknowledged`);
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["alerts"] }),
  });
  const isOver = isApiError(attempt.error, "alert.unknown");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!attempt.isPending && !isOver) attempt.mutate();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Acknowledge ${what} on ${nodeName}`}
      dismissable={!attempt.isPending}
      footer={
        <>
          <Button onClick={onClose} disabled={attempt.isPending}>
            Cancel
          </Button>
          <Button type="submit" form={form} look="primary" busy={attempt.isPending} disabled={isOver}>
            Acknowledge it
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={submit} noValidate>
        <p>
          Your name stands beside it, and it no longer asks for somebody. It stays open until {nodeName} is well again
          {rule === "" ? "" : `: the rule is ${rule}`}. On the host nothing changes.
        </p>
        <Field label="Note" optional hint="What you know, or what you are about to do. It stays in the audit log.">
          <TextInput
            value={note}
            maxLength={mostReason}
            autoComplete="off"
            onChange={(event) => setNote(event.target.value)}
          />
        </Field>
        {isOver && (
          <Banner state="quiet" live title="It has ended meanwhile.">
            There is nothing left to acknowledge. The audit log says when it ended.
          </Banner>
        )}
        {attempt.isError && !isOver && (
          <ApiErrorView error={attempt.error} title="It was not acknowledged" size="inline" />
        )}
      </form>
    </Dialog>
  );
}
