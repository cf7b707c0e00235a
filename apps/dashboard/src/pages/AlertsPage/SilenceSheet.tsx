import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useRef, useState } from "react";
import { createSilence, type SilenceWish } from "../../api/alert-changes.ts";
import type { Alert } from "../../api/alerts.ts";
import { isApiError } from "../../api/api-error.ts";
import { Button } from "../../ui/Button.tsx";
import { Field } from "../../ui/Field.tsx";
import { Select } from "../../ui/Select.tsx";
import { Sheet } from "../../ui/Sheet.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { toast } from "../../ui/toast-store.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { mostReason } from "../../widgets/Plans/reason.ts";
import { useRequestKey } from "../../widgets/use-request-key.ts";
import styles from "./AlertsPage.module.css";
import { ScopeFields } from "./ScopeFields.tsx";
import { parseSilence, silenceLengths, type TypedSilence } from "./silence-form.ts";

export interface SilenceSheetProps {
  /** What it was opened for; undefined for one that begins with all hosts. */
  readonly alert: Pick<Alert, "node" | "nodeName" | "rule"> | undefined;
  readonly rules: readonly { readonly id: string; readonly name: string }[];
  readonly onClose: () => void;
}

/** Of what is silenced nobody is told for a time; it opens and stands in the list all the same. */
export function SilenceSheet({ alert, rules, onClose }: SilenceSheetProps) {
  const form = useId();
  const client = useQueryClient();
  const requestKey = useRequestKey();
  const [typed, setTyped] = useState<TypedSilence>(() => ({
    scope: alert === undefined ? "all" : "nodes",
    tags: "",
    rule: alert?.rule ?? "",
    length: "1h",
    until: "",
    reason: "",
  }));
  const [isTried, setTried] = useState(false);
  // Sent again after a lost answer it ends when it was to end the first time: the same wish makes nothing twice.
  const sent = useRef<{ readonly typed: TypedSilence; readonly wish: SilenceWish }>(undefined);
  const nodes = alert === undefined ? [] : [alert.node];
  const read = parseSilence(typed, nodes, Date.now());
  const wrong = isTried && "wrong" in read ? read.wrong : undefined;
  const set = (change: Partial<TypedSilence>): void => setTyped({ ...typed, ...change });
  const attempt = useMutation({
    mutationFn: (wish: SilenceWish) => createSilence(wish, requestKey.of(wish)),
    onSuccess: () => {
      toast("Silenced");
      onClose();
    },
    onError: (error) => {
      if (!isApiError(error) || error.status === 0) return;
      requestKey.forget();
      sent.current = undefined;
    },
    onSettled: () =>
      Promise.all(["alerts", "alert-silences"].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (!("wish" in read) || attempt.isPending) return;
    if (sent.current?.typed !== typed) sent.current = { typed, wish: read.wish };
    attempt.mutate(sent.current.wish);
  };
  return (
    <Sheet
      open
      onClose={onClose}
      title={alert === undefined ? "Silence alerts" : `Silence alerts of ${alert.nodeName}`}
      dismissable={!attempt.isPending}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} look="primary" busy={attempt.isPending}>
            Silence
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={submit} noValidate>
        <p className={styles.said}>Alerts open and are shown all the same; nobody is told of them until it ends.</p>
        <Field label="Rule">
          <Select
            value={typed.rule}
            options={[{ value: "", label: "Every rule" }, ...rules.map(({ id, name }) => ({ value: id, label: name }))]}
            onChange={(event) => set({ rule: event.target.value })}
          />
        </Field>
        <ScopeFields
          typed={typed}
          single={alert === undefined ? undefined : `${alert.nodeName} alone`}
          wrong={wrong?.tags}
          onType={set}
        />
        <Field label="For">
          <Select
            value={typed.length}
            options={Object.entries(silenceLengths).map(([value, { words }]) => ({ value, label: words }))}
            onChange={(event) => set({ length: event.target.value as TypedSilence["length"] })}
          />
        </Field>
        {typed.length === "until" && (
          <Field label="Until" hint="By the clock of this browser; at most 30 days from now." error={wrong?.until}>
            <TextInput
              type="datetime-local"
              value={typed.until}
              onChange={(event) => set({ until: event.target.value })}
            />
          </Field>
        )}
        <Field label="Reason" hint="Why nobody is to be told. It stays in the audit log." error={wrong?.reason}>
          <TextInput
            value={typed.reason}
            maxLength={mostReason}
            autoComplete="off"
            onChange={(event) => set({ reason: event.target.value })}
          />
        </Field>
        {attempt.isError && <ApiErrorView error={attempt.error} title="Nothing was silenced" size="inline" />}
      </form>
    </Sheet>
  );
}
