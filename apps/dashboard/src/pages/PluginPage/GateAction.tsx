import type { LifecycleState } from "@gatehouse/contract";
import type { Plugin } from "@gatehouse/contract/routes";
import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { nextMoveOf } from "../../widgets/GateTrack/passages.ts";
import { AcceptDialog } from "./AcceptDialog.tsx";
import styles from "./PluginPage.module.css";
import type { Mover } from "./use-move.ts";

/** The one gate that can be opened now, and the way out. A refusal of the button itself is told under the track. */
export function GateAction({ plugin, move }: { readonly plugin: Plugin; readonly move: Mover }) {
  const { name, version, moves } = plugin;
  const [asking, setAsking] = useState<"accept" | "disable" | null>(null);
  const next = nextMoveOf(plugin);
  const error = move.isError ? <ApiErrorView error={move.error} size="inline" /> : undefined;
  const close = (): void => {
    setAsking(null);
    move.reset();
  };
  const ask = (what: "accept" | "disable"): void => {
    move.reset();
    setAsking(what);
  };
  const run = (to: LifecycleState): void => move.mutate(to, { onSuccess: () => setAsking(null) });

  return (
    <div className={styles.act}>
      {next !== null && (
        <>
          <p>{next.sentence}</p>
          <Button
            look="primary"
            busy={move.isPending && asking === null}
            onClick={() => (next.to === "installed" ? ask("accept") : run(next.to))}
          >
            {next.label}
          </Button>
        </>
      )}
      {moves.includes("disabled") && (
        <Button look="danger" size="small" onClick={() => ask("disable")}>
          Disable {version}…
        </Button>
      )}
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
