import type { LifecycleState } from "@gatehouse/contract";
import type { Plugin } from "@gatehouse/contract/routes";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { movePlugin, pluginsQuery } from "../../api/plugins.ts";
import { toast } from "../../ui/toast-store.ts";

const said: Readonly<Record<LifecycleState, string>> = {
  verified: "verified",
  installed: "accepted; nothing runs yet",
  active: "active",
  disabled: "disabled",
};

export type Mover = ReturnType<typeof useMove>;

export interface Move {
  /** As it stood on the screen when the move was asked for: its bytes are the ones that are meant. */
  readonly plugin: Plugin;
  readonly to: LifecycleState;
}

/** Moves the plugin. Every move names the bytes it means, so that it is refused for any others. */
export function useMove() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ plugin, to }: Move) => movePlugin(plugin.id, to, plugin.artifactSha256),
    onSuccess: (_moved, { plugin, to }) => toast(`${plugin.name} ${plugin.version} is ${said[to]}.`),
    // A refused move may have changed the record too: a failed activation leaves the plugin disabled.
    onSettled: () => client.invalidateQueries({ queryKey: pluginsQuery.queryKey }),
  });
}
