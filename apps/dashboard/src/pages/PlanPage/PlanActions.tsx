import type { WantedRun } from "@gatehouse/contract";
import type { Plan } from "@gatehouse/contract/routes";
import { useState } from "react";
import { isApiError } from "../../api/api-error.ts";
import type { Answer } from "../../api/client.ts";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { ReasonDialog } from "../../widgets/Plans/ReasonDialog.tsx";
import { StalePlan } from "../../widgets/Plans/StalePlan.tsx";
import { StopPlansButton } from "../../widgets/Plans/StopPlansButton.tsx";
import { ApplyDialog } from "./ApplyDialog.tsx";
import styles from "./PlanPage.module.css";
import type { PlanAct, PlanRight } from "../../widgets/Plans/plan-rights.ts";
import { usePlanMove } from "../../widgets/Plans/use-plan-move.ts";
import { UndoDialog } from "./UndoDialog.tsx";

export interface PlanActionsProps {
  readonly read: Answer<Plan>;
  readonly rights: readonly PlanRight[];
  readonly onMoved: () => void;
}

/** What the reader may do with the plan now. Nothing is done without a question of its own. */
export function PlanActions({ read, rights, onMoved }: PlanActionsProps) {
  const move = usePlanMove();
  // As it was when the question was opened: what is decided is decided about what the person saw.
  const [asking, setAsking] = useState<{ readonly act: PlanAct; readonly read: Answer<Plan> }>();
  const may = (act: PlanAct): boolean => rights.some((right) => right.act === act && right.may);
  const ask = (act: PlanAct) => (): void => {
    move.reset();
    setAsking({ act, read });
  };
  const isStale = isApiError(move.error, "request.stale");
  const confirm = (reason = "", run?: WantedRun): void => {
    if (asking === undefined || asking.act === "undo") return;
    const { act, read: seen } = asking;
    move.mutate(
      { act, seen, reason, run },
      {
        onSuccess: () => {
          setAsking(undefined);
          onMoved();
        },
      },
    );
  };
  const question = {
    busy: move.isPending,
    onClose: () => setAsking(undefined),
    error: isStale ? <StalePlan /> : move.isError && <ApiErrorView error={move.error} size="inline" />,
  };
  const title = asking?.read.data.title ?? read.data.title;
  const hasAny = rights.some(({ act, may: isAllowed }) => isAllowed && act !== "sign");
  return (
    <>
      {hasAny && (
        <div className={styles.actions}>
          {may("halt") && (
            <>
              <p className={styles.about}>
                Stopping sends nothing more. Hosts under way go on: each confirms or restores itself.
              </p>
              <Button look="danger" onClick={ask("halt")}>
                Stop this plan…
              </Button>
              <StopPlansButton />
            </>
          )}
          {may("approve") && (
            <Button look="primary" onClick={ask("approve")}>
              Approve for hosts that trust this server…
            </Button>
          )}
          {may("apply") && (
            <Button look={read.data.state === "halted" ? "quiet" : "primary"} onClick={ask("apply")}>
              {read.data.state === "halted" ? "Go on…" : "Apply…"}
            </Button>
          )}
          {may("offer") && (
            <Button look="primary" onClick={ask("offer")}>
              Offer for review…
            </Button>
          )}
          {may("reject") && (
            <Button look="danger" onClick={ask("reject")}>
              Reject…
            </Button>
          )}
          {may("undo") && <Button onClick={ask("undo")}>Undo…</Button>}
          {may("withdraw") && <Button onClick={ask("withdraw")}>Withdraw…</Button>}
        </div>
      )}
      <ConfirmDialog
        {...question}
        open={asking?.act === "offer"}
        onConfirm={() => confirm()}
        title="Offer for review"
        sentence={`“${title}” is shown to everybody who may approve plans, to look at and to reject. No host is changed by it.`}
        confirm="Offer the plan for review"
      />
      <ConfirmDialog
        {...question}
        open={asking?.act === "approve"}
        onConfirm={() => confirm()}
        title="Approve for hosts that trust this server"
        sentence={`You give this server your word for “${title}”. It may then order the change on the hosts whose root trusts this server.`}
        confirm="Approve the plan for these hosts"
      >
        <p>
          Nobody signs: whoever holds this server could give the same order. Hosts that take approvers’ signatures are
          not reached by it. No host is changed before somebody applies the plan.
        </p>
      </ConfirmDialog>
      {asking?.act === "apply" && (
        <ApplyDialog {...question} plan={asking.read.data} onConfirm={(run) => confirm("", run)} />
      )}
      {asking?.act === "undo" && <UndoDialog plan={asking.read.data} onClose={question.onClose} />}
      {asking?.act === "halt" && (
        <ReasonDialog
          {...question}
          onConfirm={(reason) => confirm(reason)}
          title="Stop this plan"
          sentence={`Send nothing more of “${title}”? Hosts under way go on: each confirms or restores itself. The plan can be gone on with later.`}
          hint="On one line. Everybody who looks at the plan reads it, and it stays in the audit log."
          confirm="Stop sending"
          look="danger"
        />
      )}
      {asking?.act === "reject" && (
        <ReasonDialog
          {...question}
          isOver={isStale}
          onConfirm={(reason) => confirm(reason)}
          title="Reject the plan"
          sentence={`“${title}” ends here: it cannot be offered or approved any more. Its author can make another. No host is changed by it.`}
          hint="On one line. Its author reads it, and it stays in the audit log."
          confirm="Reject the plan"
          look="danger"
        />
      )}
      {asking?.act === "withdraw" && (
        <ReasonDialog
          {...question}
          isOver={isStale}
          isOptional
          onConfirm={(reason) => confirm(reason)}
          title="Withdraw the plan"
          sentence={`“${title}” ends here: nobody is asked about it any more. You can make another. No host is changed by it.`}
          hint="On one line. Reviewers read it, and it stays in the audit log."
          confirm="Withdraw the plan"
        />
      )}
    </>
  );
}
