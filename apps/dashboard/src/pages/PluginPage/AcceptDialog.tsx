import { capabilities } from "@gatehouse/contract";
import type { Plugin } from "@gatehouse/contract/routes";
import type { FormEvent, ReactNode } from "react";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Digest } from "../../ui/Digest.tsx";
import { type ListChange, SideBySide } from "../../ui/Diff.tsx";
import { Mark } from "../../ui/StateMark.tsx";
import { CapabilityTable } from "../../widgets/Capabilities/CapabilityTable.tsx";
import { capabilityRows } from "../../widgets/Capabilities/capability-rows.ts";
import styles from "./GateDialogs.module.css";

export interface AcceptDialogProps {
  readonly plugin: Plugin;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onAccept: () => void;
  readonly busy: boolean;
  readonly error: ReactNode;
}

/** Where acceptance is given: the whole digest, and everything these bytes may do, before the button. */
export function AcceptDialog({ plugin, open, onClose, onAccept, busy, error }: AcceptDialogProps) {
  const { name, version, publisher, artifactSha256, change } = plugin;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy) onAccept();
  };
  return (
    <Dialog open={open} onClose={onClose} title={`Accept ${name} ${version}`} size="wide" dismissable={!busy}>
      <form className={styles.form} onSubmit={submit}>
        <p>
          You accept these exact bytes of <b>{publisher}</b> for this server. Nothing runs yet: activating is a second
          step, and no host is changed by either.
        </p>
        <section>
          <h3>Digest: compare it with the one the publisher announces elsewhere</h3>
          <Digest value={artifactSha256} label={`digest of ${version}`} />
        </section>
        {change?.downgrade === true && (
          <p className={styles.warn}>
            <Mark state="warn" /> This is a downgrade: a version above {version} was accepted before. An older release
            may bring back a hole that a newer one closed.
          </p>
        )}
        <section>
          <h3>{change === undefined ? "What it may do" : `What it may do, beside ${change.from.version}`}</h3>
          {change === undefined ? (
            <CapabilityTable
              label="What it may do"
              rows={capabilityRows(plugin)}
              now={version}
              egressHosts={plugin.egressHosts}
            />
          ) : (
            <SideBySide
              label={`Capabilities of ${change.from.version} and of ${version}`}
              before={`${change.from.version} could`}
              after={`${version} may`}
              items={changesOf(plugin)}
            />
          )}
        </section>
        {error}
        <div className={styles.buttons}>
          <Button onClick={onClose} disabled={busy}>
            Leave it closed
          </Button>
          <Button type="submit" look="primary" busy={busy}>
            Accept {version}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function changesOf(plugin: Plugin): ListChange[] {
  return capabilityRows(plugin).map(({ name, change }) => ({
    key: name,
    kind: change === "added" ? "add" : change === "removed" ? "del" : "same",
    value: <code>{name}</code>,
    note:
      name === "http:egress" && plugin.egressHosts.length > 0
        ? `${capabilities[name].says} Now: ${plugin.egressHosts.join(", ")}`
        : capabilities[name].says,
  }));
}
