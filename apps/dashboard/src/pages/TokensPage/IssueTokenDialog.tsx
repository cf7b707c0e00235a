import { type Scope, scopeNames, scopes, scopesOfTokenClass, type TokenClass, tokenClasses } from "@gatehouse/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useRef, useState } from "react";
import { isApiError } from "../../api/api-error.ts";
import { useWhoAmI } from "../../api/auth.ts";
import { type IssuedToken, issueToken, tokensQuery, type TokenWish } from "../../api/tokens.ts";
import { Button } from "../../ui/Button.tsx";
import { CheckboxGroup, RadioGroup } from "../../ui/Choices.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Field } from "../../ui/Field.tsx";
import { Select } from "../../ui/Select.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { useRequestKey } from "../../widgets/use-request-key.ts";
import { IssuedTokenView } from "./IssuedTokenView.tsx";
import { classWords, lifetimes, usualLifetime } from "./token-class-words.ts";
import styles from "./TokensPage.module.css";

/** Asks for a name, a class, scopes and a lifetime; then shows the token, this once. */
export function IssueTokenDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const [issued, setIssued] = useState<IssuedToken>();
  const form = useId();
  const [isBusy, setBusy] = useState(false);
  const close = (): void => {
    setIssued(undefined);
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      size="wide"
      // Closed by a stray click, the token would be gone for good.
      dismissable={issued === undefined && !isBusy}
      title={issued === undefined ? "Issue a token" : `${issued.name} is issued`}
      footer={
        issued === undefined ? (
          <>
            <Button onClick={close}>Cancel</Button>
            <Button type="submit" form={form} look="primary" busy={isBusy}>
              Issue the token
            </Button>
          </>
        ) : (
          <Button look="primary" onClick={close}>
            I have kept it
          </Button>
        )
      }
    >
      {issued === undefined ? (
        <IssueForm id={form} onIssued={setIssued} onBusy={setBusy} />
      ) : (
        <IssuedTokenView issued={issued} />
      )}
    </Dialog>
  );
}

interface IssueFormProps {
  readonly id: string;
  readonly onIssued: (issued: IssuedToken) => void;
  readonly onBusy: (isBusy: boolean) => void;
}

function IssueForm({ id, onIssued, onBusy }: IssueFormProps) {
  const { scopes: held } = useWhoAmI();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [tokenClass, setClass] = useState<TokenClass>("automation");
  const [chosen, setChosen] = useState<readonly Scope[]>([]);
  const [lifetime, setLifetime] = useState(usualLifetime);
  const [isTried, setTried] = useState(false);
  const nameInput = useRef<HTMLInputElement>(null);
  const requestKey = useRequestKey();

  const possible = scopesOfTokenClass(tokenClass);
  const wanted = chosen.filter((scope) => possible.includes(scope));
  const wish: TokenWish = {
    name: name.trim(),
    class: tokenClass,
    scopes: [...wanted],
    expiresInSeconds: Number(lifetime),
  };
  const attempt = useMutation({
    mutationFn: () => issueToken(wish, requestKey.of(wish)),
    onMutate: () => onBusy(true),
    onSuccess: (issued) => {
      onIssued(issued);
      void client.invalidateQueries({ queryKey: tokensQuery.queryKey });
    },
    onError: (error) => {
      if (isApiError(error) && error.status > 0) requestKey.forget();
    },
    onSettled: () => onBusy(false),
  });
  const noName = wish.name === "" ? "Give it a name that says which program uses it." : undefined;
  const noScope = wanted.length === 0 ? "Choose at least one scope." : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (noName !== undefined) nameInput.current?.focus();
    if (noName === undefined && noScope === undefined && !attempt.isPending) attempt.mutate();
  };
  return (
    <form id={id} className={styles.form} onSubmit={submit} noValidate>
      <Field label="Name" hint="Which program uses it, and where: nightly-check, deploy-eu." error={isTried && noName}>
        <TextInput
          ref={nameInput}
          value={name}
          maxLength={80}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <RadioGroup
        legend="Class"
        value={tokenClass}
        onChange={(value) => setClass(value as TokenClass)}
        options={tokenClasses.map((value) => ({ value, ...classWords[value] }))}
      />
      <CheckboxGroup
        legend="Scopes"
        hint="Only what you hold yourself is listed. Choose as little as the program needs."
        error={isTried && noScope}
        columns
        value={wanted}
        onChange={(value) => setChosen(value as Scope[])}
        options={scopeNames
          .filter((scope) => held.includes(scope))
          .map((scope) => ({
            value: scope,
            label: <code>{scope}</code>,
            hint: possible.includes(scope) ? scopes[scope].says : `${scopes[scope].says} Not for an assistant.`,
            disabled: !possible.includes(scope),
          }))}
      />
      <div className={styles.short}>
        <Field label="Ends after" hint="A token always ends. You can revoke it before.">
          <Select value={lifetime} options={lifetimes} onChange={(event) => setLifetime(event.target.value)} />
        </Field>
      </div>
      {attempt.isError && <ApiErrorView error={attempt.error} title="The token was not issued" size="inline" />}
    </form>
  );
}
