import { judgePassword, parseUsername, type Role, roles } from "@gatehouse/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useRef, useState } from "react";
import { isApiError } from "../../api/api-error.ts";
import { createUser, usersQuery } from "../../api/users.ts";
import { Button } from "../../ui/Button.tsx";
import { RadioGroup } from "../../ui/Choices.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Field } from "../../ui/Field.tsx";
import { PasswordInput } from "../../ui/PasswordInput.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { toast } from "../../ui/toast-store.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { useRequestKey } from "../../widgets/use-request-key.ts";
import { roleWords } from "./role-words.ts";
import styles from "./UsersPage.module.css";

export function CreateUserDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const form = useId();
  const [isBusy, setBusy] = useState(false);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Create a user"
      dismissable={!isBusy}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} look="primary" busy={isBusy}>
            Create the user
          </Button>
        </>
      }
    >
      <CreateForm id={form} onDone={onClose} onBusy={setBusy} />
    </Dialog>
  );
}

interface CreateFormProps {
  readonly id: string;
  readonly onDone: () => void;
  readonly onBusy: (isBusy: boolean) => void;
}

function CreateForm({ id, onDone, onBusy }: CreateFormProps) {
  const client = useQueryClient();
  const [typed, setTyped] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const [password, setPassword] = useState("");
  const [isTried, setTried] = useState(false);
  const requestKey = useRequestKey();
  const nameInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);

  const username = parseUsername(typed.trim());
  const badName =
    username === undefined ? "Use 1 to 63 of a-z 0-9 . _ - and begin with a letter or a digit." : undefined;
  const judged = judgePassword(password, username ?? "");
  const attempt = useMutation({
    mutationFn: () => {
      const wish = { username: username ?? "", role, password };
      return createUser(wish, requestKey.of(wish));
    },
    onMutate: () => onBusy(true),
    onSuccess: (user) => {
      toast(`${user.username} may now sign in`);
      onDone();
    },
    onError: (error) => {
      if (isApiError(error) && error.status > 0) requestKey.forget();
      if (isApiError(error, "user.name_taken")) nameInput.current?.focus();
    },
    onSettled: () => {
      onBusy(false);
      void client.invalidateQueries({ queryKey: usersQuery.queryKey });
    },
  });
  const refused = isApiError(attempt.error) ? attempt.error : undefined;
  const taken = refused?.code === "user.name_taken" ? refused.detail : undefined;
  const weak = refused?.code === "auth.password_unacceptable" ? refused.detail : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (badName !== undefined) nameInput.current?.focus();
    else if (judged !== undefined) passwordInput.current?.focus();
    else if (!attempt.isPending) attempt.mutate();
  };
  const change = (): void => {
    if (attempt.isError) attempt.reset();
  };
  return (
    <form id={id} className={styles.form} onSubmit={submit} onChange={change} noValidate>
      <Field
        label="Name"
        hint="What they type to sign in. It cannot be changed later."
        error={taken ?? (isTried && badName)}
      >
        <TextInput
          ref={nameInput}
          value={typed}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={63}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      <RadioGroup
        legend="Role"
        value={role}
        onChange={(value) => setRole(value as Role)}
        options={roles.map((value) => ({ value, ...roleWords[value] }))}
      />
      <Field
        label="First password"
        hint="12 to 256 characters that are hard to guess; several words are good. Tell it to them in person; they change it under Security."
        error={weak ?? (isTried && judged !== undefined && `Not accepted: ${judged}.`)}
      >
        <PasswordInput
          ref={passwordInput}
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      {attempt.isError && taken === undefined && weak === undefined && (
        <ApiErrorView error={attempt.error} title="The user was not created" size="inline" />
      )}
    </form>
  );
}
