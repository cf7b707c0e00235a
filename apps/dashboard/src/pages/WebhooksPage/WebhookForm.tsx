import { type WebhookEvent, webhookEventNames, webhookEvents, webhookLimits } from "@gatehouse/contract";
import { type FormEvent, useRef, useState } from "react";
import type { WebhookWish } from "../../api/webhooks.ts";
import { CheckboxGroup } from "../../ui/Choices.tsx";
import { Field } from "../../ui/Field.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import styles from "./WebhooksPage.module.css";

export interface WebhookFormProps {
  readonly id: string;
  /** What it is now; without one a webhook is being added. */
  readonly before?: Pick<WebhookWish, "name" | "events">;
  readonly error: unknown;
  readonly errorTitle: string;
  /** An address that was left empty is `undefined`: it stays what it is. */
  readonly onSubmit: (wish: Omit<WebhookWish, "url"> & { readonly url: string | undefined }) => void;
}

/** Name, address and events, for a new webhook and for one that changes. */
export function WebhookForm({ id, before, error, errorTitle, onSubmit }: WebhookFormProps) {
  const [name, setName] = useState(before?.name ?? "");
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<readonly WebhookEvent[]>(before?.events ?? usualEvents);
  const [isTried, setTried] = useState(false);
  const nameInput = useRef<HTMLInputElement>(null);
  const urlInput = useRef<HTMLInputElement>(null);

  const address = url.trim();
  const noName = name.trim() === "" ? "Give it a name that says what receives the notices." : undefined;
  const mayKeep = before !== undefined && address === "";
  const badUrl =
    mayKeep || /^https:\/\/[^\s@#]+$/.test(address) ? undefined : "Write an address that begins with https://.";
  const noEvent = events.length === 0 ? "Choose at least one event." : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (noName !== undefined) nameInput.current?.focus();
    else if (badUrl !== undefined) urlInput.current?.focus();
    else if (noEvent === undefined)
      onSubmit({ name: name.trim(), url: mayKeep ? undefined : address, events: [...events] });
  };
  return (
    <form id={id} className={styles.form} onSubmit={submit} noValidate>
      <Field label="Name" hint="What receives the notices: team chat, pager." error={isTried && noName}>
        <TextInput
          ref={nameInput}
          value={name}
          maxLength={webhookLimits.nameCharacters}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Field
        label="Address"
        hint={
          before === undefined
            ? "Begins with https://. It may stand inside your network. Only its first part is ever shown again."
            : "Leave it empty to keep the one it has, which is not shown."
        }
        error={isTried && badUrl}
      >
        <TextInput
          ref={urlInput}
          value={url}
          type="url"
          maxLength={webhookLimits.urlCharacters}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setUrl(event.target.value)}
        />
      </Field>
      <CheckboxGroup
        legend="Tell it when"
        error={isTried && noEvent}
        value={events}
        onChange={(value) => setEvents(value as WebhookEvent[])}
        options={webhookEventNames.map((value) => ({ value, label: webhookEvents[value], hint: <code>{value}</code> }))}
      />
      {error !== null && <ApiErrorView error={error} title={errorTitle} size="inline" />}
    </form>
  );
}

const usualEvents: readonly WebhookEvent[] = ["alert.opened", "alert.recovered", "node.offline", "node.online"];
