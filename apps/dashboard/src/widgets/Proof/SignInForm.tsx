import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { signIn } from "../../api/auth.ts";
import { Button } from "../../ui/Button.tsx";
import { Field } from "../../ui/Field.tsx";
import { PasswordInput } from "../../ui/PasswordInput.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { ApiErrorView } from "../ApiErrorView/ApiErrorView.tsx";
import { focusFirst } from "../../ui/focus-first.ts";
import styles from "./Proof.module.css";

export interface SignInFormProps {
  /** Set when somebody has to sign in again: it is the same person, or it is another page. */
  readonly username?: string;
  readonly onDone: () => void;
}

export function SignInForm({ username: known, onDone }: SignInFormProps) {
  const [username, setUsername] = useState(known ?? "");
  const [password, setPassword] = useState("");
  const attempt = useMutation({
    mutationFn: () => signIn(username.trim(), password),
    onSuccess: onDone,
    onError: () => setPassword(""),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!attempt.isPending) attempt.mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <Field label="Name" required>
        <TextInput
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={username}
          readOnly={known !== undefined}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form is all there is to do here
          autoFocus={known === undefined}
          onChange={(event) => setUsername(event.target.value)}
        />
      </Field>
      <Field label="Password" required>
        <PasswordInput
          name="password"
          value={password}
          ref={focusFirst}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      {attempt.isError && <ApiErrorView error={attempt.error} size="inline" />}
      <Button type="submit" look="primary" wide busy={attempt.isPending}>
        Sign in
      </Button>
    </form>
  );
}
