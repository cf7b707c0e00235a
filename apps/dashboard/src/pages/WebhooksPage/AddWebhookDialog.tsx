import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { isApiError } from "../../api/api-error.ts";
import { addWebhook, type NewWebhook, webhooksQuery, type WebhookWish } from "../../api/webhooks.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { useRequestKey } from "../../widgets/use-request-key.ts";
import { WebhookForm } from "./WebhookForm.tsx";
import { WebhookSecretView } from "./WebhookSecretView.tsx";

/** Asks where notices go and of what; then shows the secret, this once. */
export function AddWebhookDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const form = useId();
  const requestKey = useRequestKey();
  const [added, setAdded] = useState<NewWebhook>();
  const attempt = useMutation({
    mutationFn: (wish: WebhookWish) => addWebhook(wish, requestKey.of(wish)),
    onSuccess: setAdded,
    onError: (error) => {
      if (isApiError(error) && error.status > 0) requestKey.forget();
    },
    onSettled: () => client.invalidateQueries({ queryKey: webhooksQuery.queryKey }),
  });
  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      // Closed by a stray click, the secret would be gone for good.
      dismissable={added === undefined && !attempt.isPending}
      title={added === undefined ? "Add a webhook" : `${added.name} is added`}
      footer={
        added === undefined ? (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" form={form} look="primary" busy={attempt.isPending}>
              Add the webhook
            </Button>
          </>
        ) : (
          <Button look="primary" onClick={onClose}>
            I have kept it
          </Button>
        )
      }
    >
      {added === undefined ? (
        <WebhookForm
          id={form}
          error={attempt.error}
          errorTitle="The webhook was not added"
          onSubmit={({ url, ...wish }) => {
            if (url !== undefined && !attempt.isPending) attempt.mutate({ ...wish, url });
          }}
        />
      ) : (
        <WebhookSecretView webhook={added} />
      )}
    </Dialog>
  );
}
