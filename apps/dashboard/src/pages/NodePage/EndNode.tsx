import type { Node } from "@gatehouse/contract/routes";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Answer } from "../../api/client.ts";
import { changeNode, nodeQuery, nodesQuery, removeNode } from "../../api/nodes.ts";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { useFollow } from "../../ui/Link.tsx";
import { toast } from "../../ui/toast-store.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";

type End = "revoke" | "remove";

/** Cuts a host off: for now with its record kept, or for good. */
export function EndNode({ read: { data: node, etag } }: { readonly read: Answer<Node> }) {
  const client = useQueryClient();
  const follow = useFollow();
  const [asked, setAsked] = useState<End>();
  const { id, name } = node;
  const end = useMutation({
    mutationFn: async (how: End): Promise<void> => {
      if (etag === undefined) throw new Error("the node was read without an ETag");
      await (how === "remove" ? removeNode(id, etag) : changeNode(id, etag, { revoked: true }));
    },
    onSuccess: (_nothing, how) => {
      toast(how === "remove" ? `${name} is removed` : `${name} is revoked`);
      setAsked(undefined);
      if (how === "remove") follow("/nodes");
    },
    onSettled: (_nothing, error, how) => {
      void client.invalidateQueries({ queryKey: nodesQuery.queryKey });
      // The page still stands while the list is on its way, and would ask for a node that is gone.
      const refetchType = how === "remove" && error === null ? "none" : "active";
      void client.invalidateQueries({ queryKey: nodeQuery(id).queryKey, refetchType });
    },
  });
  const ask = (how: End): void => {
    end.reset();
    setAsked(how);
  };
  const isRevoked = node.state === "revoked";
  return (
    <>
      {!isRevoked && (
        <Button look="danger" onClick={() => ask("revoke")}>
          Revoke…
        </Button>
      )}
      <Button look="danger" onClick={() => ask("remove")}>
        Remove…
      </Button>
      <ConfirmDialog
        open={asked === "revoke"}
        onClose={() => setAsked(undefined)}
        onConfirm={() => end.mutate("revoke")}
        busy={end.isPending}
        title={`Revoke ${name}`}
        sentence={`${name} is cut off at once, and its key is refused from now on. Its record stays. There is no way back for this identity: the host has to be enrolled with a new one.`}
        confirm={`Revoke ${name}`}
        look="danger"
        error={end.isError && <ApiErrorView error={end.error} title="It was not revoked" size="inline" />}
      />
      <ConfirmDialog
        open={asked === "remove"}
        onClose={() => setAsked(undefined)}
        onConfirm={() => end.mutate("remove")}
        busy={end.isPending}
        title={`Remove ${name}`}
        sentence={`${name} is cut off and its record is removed. The agent stays on the host until somebody removes it there. What happened to it stays in the audit log.`}
        confirm={`Remove ${name}`}
        look="danger"
        typed={name}
        error={end.isError && <ApiErrorView error={end.error} title="It was not removed" size="inline" />}
      />
    </>
  );
}
