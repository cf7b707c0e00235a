import { isHostRisk } from "@gatehouse/contract";
import type { Plugin } from "@gatehouse/contract/routes";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type Lifecycle, pluginsQuery } from "../../api/plugins.ts";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { Mark } from "../../ui/StateMark.tsx";
import { CapabilityTable } from "../../widgets/Capabilities/CapabilityTable.tsx";
import { capabilityRows } from "../../widgets/Capabilities/capability-rows.ts";
import styles from "./GateDialogs.module.css";

export interface ActivateDialogProps {
  readonly plugin: Plugin;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onActivate: () => void;
  readonly busy: boolean;
  readonly error: ReactNode;
}

/** Where these bytes begin to run: how far they reach, and what they are fenced in by, before the button. */
export function ActivateDialog({ plugin, open, onClose, onActivate, busy, error }: ActivateDialogProps) {
  const { name, version, capabilities } = plugin;
  const host = useQuery(pluginsQuery).data?.sandbox;
  const atHosts = capabilities.map((one) => one.name).filter(isHostRisk);
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      onConfirm={onActivate}
      title={`Activate ${name} ${version}`}
      sentence={`${name} ${version} is armed: from then on it answers questions in its sandbox, and its pages appear in the navigation. No host is changed.`}
      confirm={`Activate ${version}`}
      size="wide"
      busy={busy}
      error={error}
    >
      <div className={styles.form}>
        {atHosts.length > 0 && (
          <p className={styles.warn}>
            <Mark state="warn" /> It may draw up plans that change hosts ({atHosts.join(", ")}). Each plan needs its own
            approval.
          </p>
        )}
        <section>
          <h3>What it may do</h3>
          {capabilities.length === 0 ? (
            <p>It declares no capability: it can answer questions and nothing else.</p>
          ) : (
            <CapabilityTable
              label={`What ${version} may do`}
              rows={capabilityRows({ capabilities, change: undefined })}
              now={version}
              egressHosts={plugin.egressHosts}
            />
          )}
        </section>
        {host !== undefined && (
          <section>
            <h3>What fences it in</h3>
            <p>{fenceWords(host)}</p>
          </section>
        )}
      </div>
    </ConfirmDialog>
  );
}

function fenceWords({ level, least }: Lifecycle["sandbox"]): string {
  return level === null
    ? `No sandbox of this host is known to hold; ${least} is the least accepted, and without it the activation is refused.`
    : `The sandbox of this host: ${level}. The least accepted is ${least}.`;
}
