import { webhookEvents } from "@gatehouse/contract";
import type { Webhook } from "@gatehouse/contract/routes";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  changeWebhook,
  removeWebhook,
  renewWebhookSecret,
  testWebhook,
  webhookDeliveriesQuery,
  webhooksQuery,
} from "../../api/webhooks.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { Sheet } from "../../ui/Sheet.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import { toast } from "../../ui/toast-store.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { ChangeWebhookDialog } from "./ChangeWebhookDialog.tsx";
import { answerWords, deliveryMark, webhookMark } from "./webhook-words.ts";
import { WebhookHistory } from "./WebhookHistory.tsx";
import { WebhookSecretView } from "./WebhookSecretView.tsx";
import styles from "./WebhooksPage.module.css";

export interface WebhookSheetProps {
  readonly webhook: Webhook | undefined;
  readonly onClose: () => void;
}

export function WebhookSheet({ webhook, onClose }: WebhookSheetProps) {
  return (
    <Sheet open onClose={onClose} title={webhook?.name ?? "No such webhook"}>
      {webhook === undefined ? (
        <p>It is not among the webhooks any more. The audit log keeps who removed it.</p>
      ) : (
        <WebhookBody webhook={webhook} onClose={onClose} />
      )}
    </Sheet>
  );
}

function WebhookBody({ webhook, onClose }: { readonly webhook: Webhook; readonly onClose: () => void }) {
  const { id, name, url, enabled, failing, waiting, lastAt, events, createdAt } = webhook;
  const client = useQueryClient();
  const [asked, setAsked] = useState<"change" | "secret" | "remove">();
  const onSettled = () => client.invalidateQueries({ queryKey: webhooksQuery.queryKey });
  const turn = useMutation({
    mutationFn: () => changeWebhook(id, { enabled: !enabled }),
    onSuccess: (now) => toast(`${name} is ${now.enabled ? "on" : "off"}`),
    onSettled,
  });
  const renew = useMutation({ mutationFn: () => renewWebhookSecret(id), onSettled });
  const remove = useMutation({
    mutationFn: () => removeWebhook(id),
    onSuccess: () => {
      toast(`${name} is removed`);
      onClose();
    },
    onSettled,
  });
  const close = (): void => {
    setAsked(undefined);
    renew.reset();
    remove.reset();
  };
  return (
    <div className={styles.sheet}>
      {failing !== null && enabled && (
        <Banner state="warn" title="It does not take notices.">
          Since <Time at={failing.since} absolute />: {failing.reason}. What waits is sent again for about nine hours
          each.
        </Banner>
      )}
      <Facts
        items={[
          { label: "State", value: <StateMark {...webhookMark(webhook)} /> },
          { label: "Sends to", value: <code>{url}</code>, note: "The rest of the address may be a secret." },
          { label: "Waiting", value: waiting === 0 ? "Nothing" : `${waiting} ${waiting === 1 ? "notice" : "notices"}` },
          { label: "Last taken", value: lastAt === null ? "None is known" : <Time at={lastAt} /> },
          { label: "Added", value: <Time at={createdAt} />, note: <Time at={createdAt} absolute /> },
        ]}
      />
      <TestNotice id={id} />
      <section>
        <h3>It is told when</h3>
        <ul className={styles.events}>
          {events.map((event) => (
            <li key={event}>{webhookEvents[event]}</li>
          ))}
        </ul>
      </section>
      <WebhookHistory id={id} />
      {turn.isError && <ApiErrorView error={turn.error} title="It was not changed" size="inline" />}
      <div className={styles.acts}>
        <Button onClick={() => setAsked("change")}>Change…</Button>
        <Button busy={turn.isPending} onClick={() => turn.mutate()}>
          Turn {enabled ? "off" : "on"}
        </Button>
        <Button onClick={() => setAsked("secret")}>New secret…</Button>
        <Button look="danger" onClick={() => setAsked("remove")}>
          Remove {name}…
        </Button>
      </div>
      {asked === "change" && <ChangeWebhookDialog webhook={webhook} onClose={close} />}
      <ConfirmDialog
        open={asked === "secret" && renew.data === undefined}
        onClose={close}
        onConfirm={() => renew.mutate()}
        title={`Make a new secret for ${name}`}
        sentence="The old secret signs nothing any more: whoever receives the notices refuses them until they know the new one."
        confirm="Make a new secret"
        busy={renew.isPending}
        error={renew.isError && <ApiErrorView error={renew.error} title="No secret was made" size="inline" />}
      />
      {renew.data !== undefined && (
        <Dialog
          open
          onClose={close}
          dismissable={false}
          title={`New secret of ${name}`}
          footer={
            <Button look="primary" onClick={close}>
              I have kept it
            </Button>
          }
        >
          <WebhookSecretView webhook={renew.data} />
        </Dialog>
      )}
      <ConfirmDialog
        open={asked === "remove"}
        onClose={close}
        onConfirm={() => remove.mutate()}
        title={`Remove ${name}`}
        sentence={`Nothing is sent to ${name} any more. What it has not been told yet is never told.`}
        confirm={`Remove ${name}`}
        look="danger"
        busy={remove.isPending}
        error={remove.isError && <ApiErrorView error={remove.error} title="It was not removed" size="inline" />}
      />
    </div>
  );
}

/** A button, and beside it how the receiver answered. */
function TestNotice({ id }: { readonly id: string }) {
  const client = useQueryClient();
  const test = useMutation({
    mutationFn: () => testWebhook(id),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: webhookDeliveriesQuery(id).queryKey });
      void client.invalidateQueries({ queryKey: webhooksQuery.queryKey });
    },
  });
  return (
    <div className={styles.test}>
      <Button busy={test.isPending} onClick={() => test.mutate()}>
        Send a test
      </Button>
      <span role="status">
        {test.data !== undefined && !test.isPending && (
          <>
            <StateMark {...deliveryMark(test.data)} />{" "}
            <span>
              ({answerWords(test.data)} in {test.data.ms} ms)
            </span>
          </>
        )}
      </span>
      {test.isError && <ApiErrorView error={test.error} title="No test was sent" size="inline" />}
    </div>
  );
}
