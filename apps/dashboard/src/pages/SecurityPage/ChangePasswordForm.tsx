import { judgePassword, passwordLimits } from "@gatehouse/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { isApiError } from "../../api/api-error.ts";
import { changePassword } from "../../api/auth.ts";
import { sessionsKey } from "../../api/sessions.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { Field } from "../../ui/Field.tsx";
import { PasswordInput } from "../../ui/PasswordInput.tsx";
import { toast } from "../../ui/toast-store.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import styles from "./SecurityPage.module.css";

const rules = `${passwordLimits.least} to ${passwordLimits.most} characters that are hard to guess; several words are good. Not your name, not a run of keys, not a well-known password.`;

export function ChangePasswordForm({ username }: { readonly username: string }) {
  const client = useQueryClient();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [again, setAgain] = useState("");
  const [isTried, setTried] = useState(false);
  const currentInput = useRef<HTMLInputElement>(null);
  const nextInput = useRef<HTMLInputElement>(null);
  const againInput = useRef<HTMLInputElement>(null);
  const attempt = useMutation({
    mutationFn: () => changePassword(current, next),
    onSuccess: () => {
      setCurrent("");
      setNext("");
      setAgain("");
      setTried(false);
      toast("Your password is changed");
      void client.invalidateQueries({ queryKey: sessionsKey });
    },
    onError: (error) => {
      if (isApiError(error, "auth.password_wrong")) currentInput.current?.focus();
    },
  });
  const refused = isApiError(attempt.error) ? attempt.error : undefined;
  const wrong = refused?.code === "auth.password_wrong" ? "That is not your current password." : undefined;
  const weak = refused?.code === "auth.password_unacceptable" ? refused.detail : undefined;
  const noCurrent = current === "" ? "Type your current password." : undefined;
  const judged = judgePassword(next, username);
  const differs = again === next ? undefined : "It differs from the new password above.";
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (noCurrent !== undefined) currentInput.current?.focus();
    else if (judged !== undefined) nextInput.current?.focus();
    else if (differs !== undefined) againInput.current?.focus();
    else if (!attempt.isPending) attempt.mutate();
  };
  const change = (): void => {
    if (attempt.isError || attempt.isSuccess) attempt.reset();
  };
  return (
    <form className={styles.form} onSubmit={submit} onChange={change} noValidate>
      {/* For password managers: without a name they do not know whose password it is. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <Field label="Current password" error={wrong ?? (isTried && noCurrent)}>
        <PasswordInput ref={currentInput} value={current} onChange={(event) => setCurrent(event.target.value)} />
      </Field>
      <Field
        label="New password"
        hint={rules}
        error={weak ?? (isTried && judged !== undefined && `Not accepted: ${judged}.`)}
      >
        <PasswordInput
          ref={nextInput}
          autoComplete="new-password"
          value={next}
          onChange={(event) => setNext(event.target.value)}
        />
      </Field>
      <Field label="New password, once more" error={isTried && judged === undefined && differs}>
        <PasswordInput
          ref={againInput}
          autoComplete="new-password"
          value={again}
          onChange={(event) => setAgain(event.target.value)}
        />
      </Field>
      {attempt.isError && wrong === undefined && weak === undefined && (
        <ApiErrorView error={attempt.error} title="The password was not changed" size="inline" />
      )}
      {attempt.isSuccess && (
        <Banner state="ok" live title="Your password is changed.">
          Your other sessions have ended.
        </Banner>
      )}
      <p className={styles.quiet}>Your other sessions end with it. This one stays, and so do your tokens.</p>
      <div>
        <Button type="submit" look="primary" busy={attempt.isPending}>
          Change the password
        </Button>
      </div>
    </form>
  );
}
