import { useState, type FormEvent, type ReactNode } from "react";
import { Button } from "./Button.tsx";
import { Dialog } from "./Dialog.tsx";
import { Field } from "./Field.tsx";
import { focusFirst } from "./focus-first.ts";
import { TextInput } from "./TextInput.tsx";
import styles from "./ConfirmDialog.module.css";

export type ConfirmDialogProps = {
  open: boolean;
  onClose: () => void;
  onConfirm: () => void;
  title: ReactNode;
  /** One sentence: what will happen, with the object's name. */
  sentence: ReactNode;
  /** What will not happen, or what is asked besides. */
  children?: ReactNode;
  /** The button, with the object's name: "Revoke token deploy-eu". */
  confirm: string;
  look?: "primary" | "danger";
  size?: "narrow" | "wide";
  busy?: boolean;
  /** An ErrorView of size inline, when it went wrong: the dialog stays. */
  error?: ReactNode;
  /** For what cannot be undone: the name that has to be typed. */
  typed?: string;
};

/**
 * Asks once, in a sentence, with the object in the button. The focus begins on the name that has to be typed, or on
 * Cancel: an Enter too many changes nothing.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onClose, title, busy = false, size = "narrow" } = props;
  return (
    <Dialog open={open} onClose={onClose} title={title} size={size} dismissable={!busy}>
      <ConfirmForm {...props} />
    </Dialog>
  );
}

function ConfirmForm({
  onClose,
  onConfirm,
  sentence,
  children,
  confirm,
  look = "primary",
  busy = false,
  error,
  typed,
}: ConfirmDialogProps) {
  const [name, setName] = useState("");
  const ready = typed === undefined || name === typed;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready && !busy) onConfirm();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <p>{sentence}</p>
      {children}
      {typed !== undefined && (
        <Field
          label={
            <>
              Type <code>{typed}</code> to confirm
            </>
          }
        >
          <TextInput
            mono
            ref={focusFirst}
            value={name}
            onChange={(event) => setName(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
      )}
      {error}
      <div className={styles.buttons}>
        <Button ref={typed === undefined ? focusFirst : undefined} onClick={onClose} disabled={busy}>
          Cancel
        </Button>
        <Button type="submit" look={look === "danger" ? "danger-solid" : "primary"} busy={busy} disabled={!ready}>
          {confirm}
        </Button>
      </div>
    </form>
  );
}
