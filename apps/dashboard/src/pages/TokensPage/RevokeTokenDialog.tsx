import type { Token } from "@gatehouse/contract/routes";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useWhoAmI } from "../../api/auth.ts";
import { revokeToken, tokensQuery } from "../../api/tokens.ts";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { toast } from "../../ui/toast-store.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";

export function RevokeTokenDialog({ token, onClose }: { readonly token: Token; readonly onClose: () => void }) {
  const client = useQueryClient();
  const { user } = useWhoAmI();
  const revoke = useMutation({
    mutationFn: () => revokeToken(token.id),
    onSuccess: () => {
      toast(`${token.name} is revoked`);
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
  const whose = token.owner.id === user.id ? "Your token" : `The token of ${token.owner.username},`;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => revoke.mutate()}
      title={`Revoke ${token.name}`}
      sentence={
        <>
          {whose} <b>{token.name}</b> stops working at once, and whatever it has open ends within a second. This cannot
          be undone; a program that still needs access gets a new token.
        </>
      }
      confirm={`Revoke ${token.name}`}
      look="danger"
      busy={revoke.isPending}
      error={revoke.isError && <ApiErrorView error={revoke.error} title="It was not revoked" size="inline" />}
    />
  );
}
