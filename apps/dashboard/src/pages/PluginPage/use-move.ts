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

/** Moves the plugin. Every move names the bytes it means, so that it is refused for any others. */
export function useMove({ id, name, version, artifactSha256 }: Plugin) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (to: LifecycleState) => movePlugin(id, to, artifactSha256),
    onSuccess: (_plugin, to) => toast(`${name} ${version} is ${said[to]}.`),
    // A refused move may have changed the record too: a failed activation leaves the plugin disabled.
    onSettled: () => client.invalidateQueries({ queryKey: pluginsQuery.queryKey }),
  });
}
