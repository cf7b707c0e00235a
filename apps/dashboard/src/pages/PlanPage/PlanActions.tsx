import type { Plan } from "@gatehouse/contract/routes";
import { useState } from "react";
import { isApiError } from "../../api/api-error.ts";
import type { Answer } from "../../api/client.ts";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { ReasonDialog } from "../../widgets/Plans/ReasonDialog.tsx";
import { StalePlan } from "../../widgets/Plans/StalePlan.tsx";
import styles from "./PlanPage.module.css";
import type { PlanAct, PlanRight } from "../../widgets/Plans/plan-rights.ts";
import { usePlanMove } from "../../widgets/Plans/use-plan-move.ts";

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
  const confirm = (reason = ""): void => {
    if (asking === undefined) return;
    const { act, read: seen } = asking;
    move.mutate(
      { act, seen, reason },
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
  const isAgain = asking?.read.data.state === "halted";
  const title = asking?.read.data.title ?? read.data.title;
  const hasAny = rights.some(({ act, may: isAllowed }) => isAllowed && act !== "sign");
  return (
    <>
      {hasAny && (
        <div className={styles.actions}>
          {may("approve") && (
            <Button look="primary" onClick={ask("approve")}>
              Approve for hosts that trust this server…
            </Button>
          )}
          {may("apply") && (
            <Button look="primary" onClick={ask("apply")}>
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
      <ConfirmDialog
        {...question}
        open={asking?.act === "apply"}
        onConfirm={() => confirm()}
        title={isAgain ? "Go on with the plan" : "Apply the plan"}
        sentence={`“${title}” is sent to ${isAgain ? "the hosts that it has not reached" : hostWords(read.data.nodes)}. Every host judges it by itself.`}
        confirm={isAgain ? "Go on with the plan" : "Apply the plan"}
      >
        <p>
          A host that finds nothing wrong makes the change, and puts back what was there unless it has reached this
          server anew in the time that was approved. A restart cannot be undone: a service that stays down is told.
        </p>
      </ConfirmDialog>
      {asking?.act === "reject" && (
        <ReasonDialog
          {...question}
          isOver={isStale}
          onConfirm={confirm}
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
          onConfirm={confirm}
          title="Withdraw the plan"
          sentence={`“${title}” ends here: nobody is asked about it any more. You can make another. No host is changed by it.`}
          hint="On one line. Reviewers read it, and it stays in the audit log."
          confirm="Withdraw the plan"
        />
      )}
    </>
  );
}

function hostWords(count: number): string {
  return count === 1 ? "its host" : `its ${count.toLocaleString("en-GB")} hosts`;
}
