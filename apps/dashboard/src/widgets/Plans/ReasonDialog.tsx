import { type FormEvent, type ReactNode, useId, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Field } from "../../ui/Field.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { asOneLine, missingReason, mostReason } from "./reason.ts";
import styles from "./ReasonDialog.module.css";

export interface ReasonDialogProps {
  readonly title: string;
  /** What will happen, with the object's name, and what will not. */
  readonly sentence: ReactNode;
  readonly confirm: string;
  readonly hint: string;
  readonly look?: "primary" | "danger";
  readonly isOptional?: boolean;
  readonly busy: boolean;
  /** What was tried cannot be tried again as it is. */
  readonly isOver?: boolean;
  readonly error: ReactNode;
  readonly onClose: () => void;
  readonly onConfirm: (reason: string) => void;
}

/** Asks for the reason of an act; it is shown to everybody and stays in the audit log. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, sentence, confirm, hint, look = "primary", isOptional = false, busy, isOver = false, error } = props;
  const form = useId();
  const [reason, setReason] = useState("");
  const [isTried, setTried] = useState(false);
  const said = asOneLine(reason);
  const missing = !isOptional && said === "" ? missingReason : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (missing === undefined && !busy && !isOver) props.onConfirm(said);
  };
  return (
    <Dialog
      open
      onClose={props.onClose}
      title={title}
      dismissable={!busy}
      footer={
        <>
          <Button onClick={props.onClose} disabled={busy}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={form}
            look={look === "danger" ? "danger-solid" : "primary"}
            busy={busy}
            disabled={isOver}
          >
            {confirm}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={submit} noValidate>
        <p>{sentence}</p>
        <Field label="Reason" optional={isOptional} hint={hint} error={isTried && missing}>
          <TextInput
            value={reason}
            maxLength={mostReason}
            autoComplete="off"
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
        {error}
      </form>
    </Dialog>
  );
}
