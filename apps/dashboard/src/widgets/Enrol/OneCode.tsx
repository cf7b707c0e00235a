import { useState } from "react";
import type { NewEnrolment } from "../../api/enrolments.ts";
import { Button, ButtonLink } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { ApiErrorView } from "../ApiErrorView/ApiErrorView.tsx";
import styles from "./Enrol.module.css";
import { EnrolSteps } from "./EnrolSteps.tsx";
import { HostIsHere } from "./HostIsHere.tsx";
import { idEnd, ProgressWords } from "./ProgressWords.tsx";
import { useEnrolment, useTimeLeft } from "./use-enrolment.ts";

export interface OneCodeProps {
  readonly made: NewEnrolment;
  readonly onClose: () => void;
  readonly onAgain: () => void;
}

/** The line for one host above, and below what has become of it. */
export function OneCode({ made, onClose, onAgain }: OneCodeProps) {
  const { progress, error, cancel, turnAway } = useEnrolment(made);
  const { left, whole } = useTimeLeft(made);
  const [isAsking, setAsking] = useState(false);
  const { kind } = progress;
  const node = "node" in progress ? progress.node : undefined;
  const nodeId = "nodeId" in progress ? progress.nodeId : node?.id;
  const again = <Button onClick={onAgain}>{kind === "here" ? "Enrol another" : "Make a new one"}</Button>;
  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      // Closed by a stray press, the line would be gone for good.
      dismissable={kind !== "waiting"}
      title={kind === "here" ? `${node?.name} is here` : "Enrol a host"}
      footer={
        <div className={styles.foot}>
          <ProgressWords progress={progress} left={left} whole={whole} expiresAt={made.expiresAt} />
          {error !== null && (
            <ApiErrorView error={error} title="Not live: the host may be there already" size="inline" />
          )}
          {cancel.isError && <ApiErrorView error={cancel.error} title="The code was not cancelled" size="inline" />}
          <div className={styles.acts}>
            {kind === "waiting" && (
              <>
                <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
                  Cancel the code
                </Button>
                <Button onClick={onClose}>Close, and let it wait</Button>
              </>
            )}
            {(kind === "arriving" || kind === "here") && (
              <Button look="danger" onClick={() => setAsking(true)}>
                Not mine: turn it away…
              </Button>
            )}
            {kind !== "waiting" && kind !== "arriving" && again}
            {kind === "here" && node !== undefined && (
              <ButtonLink look="primary" href={`/nodes/${node.id}`}>
                Open {node.name}
              </ButtonLink>
            )}
          </div>
        </div>
      }
    >
      {kind === "here" && node !== undefined ? (
        <HostIsHere node={node} />
      ) : (
        <EnrolSteps made={[made]} isSpent={kind !== "waiting"} />
      )}
      <ConfirmDialog
        open={isAsking && nodeId !== undefined}
        onClose={() => setAsking(false)}
        onConfirm={() => turnAway.mutate(undefined, { onSuccess: () => setAsking(false) })}
        busy={turnAway.isPending}
        title="Turn the host away"
        sentence={`The host whose id ends in ${idEnd(nodeId ?? "")} is revoked: its connection ends, and its key is refused from now on.`}
        confirm="Turn it away"
        look="danger"
        error={turnAway.isError && <ApiErrorView error={turnAway.error} title="It was not turned away" size="inline" />}
      />
    </Dialog>
  );
}
