import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { stepUp } from "../../api/auth.ts";
import { Button } from "../../ui/Button.tsx";
import { Field } from "../../ui/Field.tsx";
import { PasswordInput } from "../../ui/PasswordInput.tsx";
import { ApiErrorView } from "../ApiErrorView/ApiErrorView.tsx";
import { focusFirst } from "../../ui/focus-first.ts";
import styles from "./Proof.module.css";

/** The password once more; for five minutes the session may then do what needs a fresh proof. */
export function StepUpForm({ onDone, onCancel }: { readonly onDone: () => void; readonly onCancel: () => void }) {
  const [password, setPassword] = useState("");
  const attempt = useMutation({
    mutationFn: () => stepUp(password),
    onSuccess: onDone,
    onError: () => setPassword(""),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!attempt.isPending) attempt.mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <Field
        label="Password"
        hint="Asked again because this gives somebody, or a plugin, more power. It holds for five minutes."
        required
      >
        <PasswordInput
          name="password"
          value={password}
          ref={focusFirst}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      {attempt.isError && <ApiErrorView error={attempt.error} size="inline" />}
      <div className={styles.buttons}>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" busy={attempt.isPending}>
          Confirm
        </Button>
      </div>
    </form>
  );
}
