import type { LifecycleState } from "@gatehouse/contract";
import type { Plugin } from "@gatehouse/contract/routes";
import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { nextMoveOf } from "../../widgets/GateTrack/passages.ts";
import { AcceptDialog } from "./AcceptDialog.tsx";
import { ActivateDialog } from "./ActivateDialog.tsx";
import styles from "./PluginPage.module.css";
import type { Move, Mover } from "./use-move.ts";

export interface GateActionProps {
  readonly plugin: Plugin;
  readonly move: Mover;
  readonly onMoved: () => void;
}

/** The one gate that can be opened now, and the way out. No gate opens without a question of its own. */
export function GateAction({ plugin, move, onMoved }: GateActionProps) {
  const { version, moves } = plugin;
  const [asking, setAsking] = useState<Move | null>(null);
  const next = nextMoveOf(plugin);
  const close = (): void => {
    setAsking(null);
    move.reset();
  };
  const ask = (to: LifecycleState): void => {
    move.reset();
    setAsking({ plugin, to });
  };
  const moved = (): void => {
    setAsking(null);
    onMoved();
  };
  // What is shown is what was asked about: bytes that change under an open question are not the ones it names.
  const asked = asking?.plugin ?? plugin;
  const question = (to: LifecycleState) => ({
    open: asking?.to === to,
    onClose: close,
    busy: move.isPending,
    error: move.isError ? <ApiErrorView error={move.error} size="inline" /> : undefined,
  });
  const confirm = (): void => {
    if (asking !== null) move.mutate(asking, { onSuccess: moved });
  };

  return (
    <div className={styles.act}>
      {next !== null && (
        <>
          <p>{next.sentence}</p>
          {/* A button for each gate: the next one must not take over the focus of the one before. */}
          <Button key={next.to} look="primary" onClick={() => ask(next.to)}>
            {next.label}
          </Button>
        </>
      )}
      {moves.includes("disabled") && (
        <Button look="danger" size="small" onClick={() => ask("disabled")}>
          Disable {version}…
        </Button>
      )}
      <AcceptDialog {...question("installed")} plugin={asked} onAccept={confirm} />
      <ActivateDialog {...question("active")} plugin={asked} onActivate={confirm} />
      <ConfirmDialog
        {...question("disabled")}
        onConfirm={confirm}
        title={`Disable ${asked.name}`}
        sentence={`The runtime of ${asked.name} ${asked.version} stops and its access to the broker ends; its pages leave the navigation.`}
        confirm={`Disable ${asked.name}`}
        look="danger"
      >
        <p>Its record, its stored values and its acceptance stay. It can be activated again. No host is changed.</p>
      </ConfirmDialog>
    </div>
  );
}
