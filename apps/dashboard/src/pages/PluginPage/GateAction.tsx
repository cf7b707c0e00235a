import type { LifecycleState, Plugin } from "@gatehouse/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { movePlugin, pluginsQuery } from "../../api/plugins.ts";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { toast } from "../../ui/toast-store.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { nextMoveOf } from "../../widgets/GateTrack/passages.ts";
import { AcceptDialog } from "./AcceptDialog.tsx";
import styles from "./PluginPage.module.css";

const said: Readonly<Record<LifecycleState, string>> = {
  verified: "verified",
  installed: "accepted; nothing runs yet",
  active: "active",
  disabled: "disabled",
};

/** The one gate that can be opened now, and the way out. Every move says which bytes it means. */
export function GateAction({ plugin }: { readonly plugin: Plugin }) {
  const { id, name, version, artifactSha256, moves } = plugin;
  const client = useQueryClient();
  const [asking, setAsking] = useState<"accept" | "disable" | null>(null);
  const move = useMutation({
    mutationFn: (to: LifecycleState) => movePlugin(id, to, artifactSha256),
    onSuccess: (_plugin, to) => {
      setAsking(null);
      toast(`${name} ${version} is ${said[to]}.`);
    },
    // A refused move may have changed the record too: a failed activation leaves the plugin disabled.
    onSettled: () => client.invalidateQueries({ queryKey: pluginsQuery.queryKey }),
  });
  const next = nextMoveOf(plugin);
  const mayDisable = moves.includes("disabled");
  const error = move.isError ? <ApiErrorView error={move.error} size="inline" /> : undefined;
  const close = (): void => {
    setAsking(null);
    move.reset();
  };
  const run = (to: LifecycleState): void => {
    move.reset();
    move.mutate(to);
  };

  return (
    <div className={styles.act}>
      {next !== null && (
        <>
          <p>{next.sentence}</p>
          <Button
            look="primary"
            busy={move.isPending && move.variables === next.to && asking === null}
            onClick={() => (next.to === "installed" ? setAsking("accept") : run(next.to))}
          >
            {next.label}
          </Button>
        </>
      )}
      {mayDisable && (
        <Button look="danger" size="small" onClick={() => setAsking("disable")}>
          Disable {version}…
        </Button>
      )}
      {asking === null && error}
      <AcceptDialog
        plugin={plugin}
        open={asking === "accept"}
        onClose={close}
        onAccept={() => run("installed")}
        busy={move.isPending}
        error={error}
      />
      <ConfirmDialog
        open={asking === "disable"}
        onClose={close}
        onConfirm={() => run("disabled")}
        title={`Disable ${name}`}
        sentence={`The runtime of ${name} ${version} stops and its access to the broker ends; its pages leave the navigation.`}
        confirm={`Disable ${name}`}
        look="danger"
        busy={move.isPending}
        error={error}
      >
        <p>Its record, its stored values and its acceptance stay. It can be activated again. No host is changed.</p>
      </ConfirmDialog>
    </div>
  );
}
