import type { Webhook } from "@gatehouse/contract/routes";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { changeWebhook, type WebhookChange, webhooksQuery } from "../../api/webhooks.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { toast } from "../../ui/toast-store.ts";
import { WebhookForm } from "./WebhookForm.tsx";

export function ChangeWebhookDialog({ webhook, onClose }: { readonly webhook: Webhook; readonly onClose: () => void }) {
  const client = useQueryClient();
  const form = useId();
  const attempt = useMutation({
    mutationFn: (change: WebhookChange) => changeWebhook(webhook.id, change),
    onSuccess: ({ name }) => {
      toast(`${name} is changed`);
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: webhooksQuery.queryKey }),
  });
  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      dismissable={!attempt.isPending}
      title={`Change ${webhook.name}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} look="primary" busy={attempt.isPending}>
            Save
          </Button>
        </>
      }
    >
      <WebhookForm
        id={form}
        before={webhook}
        error={attempt.error}
        errorTitle="The webhook was not changed"
        onSubmit={(change) => {
          if (!attempt.isPending) attempt.mutate(change);
        }}
      />
    </Dialog>
  );
}
