import type { WantedRun } from "@gatehouse/contract";
import type { Plan } from "@gatehouse/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { planWavesQuery } from "../../api/plans.ts";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { whenHalts } from "../../widgets/Plans/wave-words.ts";
import { RunFields } from "./RunFields.tsx";
import { readRunForm, usualRun } from "./run-form.ts";

export interface ApplyDialogProps {
  /** As it was when the question was opened. */
  readonly plan: Plan;
  readonly busy: boolean;
  readonly error: ReactNode;
  readonly onClose: () => void;
  readonly onConfirm: (run: WantedRun | undefined) => void;
}

/** Starts a plan: at once, or in waves; or goes on with one that was halted, in the waves that it has. */
export function ApplyDialog({ plan, onConfirm, ...question }: ApplyDialogProps) {
  const [form, setForm] = useState(usualRun);
  const [isTried, setTried] = useState(false);
  const read = readRunForm(form);
  if (plan.state === "halted") return <GoOnDialog plan={plan} onConfirm={() => onConfirm(undefined)} {...question} />;
  const submit = (): void => {
    setTried(true);
    if ("run" in read) onConfirm(read.run);
  };
  const isOne = plan.nodes === 1;
  return (
    <ConfirmDialog
      open
      {...question}
      onConfirm={submit}
      title="Apply the plan"
      sentence={
        <>
          “{plan.title}” is sent to {hostWords(plan.nodes)}. Every host judges it by itself.
        </>
      }
      confirm="Apply the plan"
      size={isOne ? "narrow" : "wide"}
    >
      {!isOne && <RunFields plan={plan} form={form} read={read} isTried={isTried} onForm={setForm} />}
      <p>
        A host that finds nothing wrong makes the change, and puts back what was there unless it has reached this server
        anew in the time that was approved. A restart cannot be undone: a service that stays down is told.
      </p>
    </ConfirmDialog>
  );
}

/** Its waves were chosen when it was started, and stay. */
function GoOnDialog({ plan, ...question }: Omit<ApplyDialogProps, "onConfirm"> & { readonly onConfirm: () => void }) {
  const isInWaves = (plan.waves ?? 1) > 1;
  const halt = useQuery(planWavesQuery(plan.id)).data?.halt ?? null;
  return (
    <ConfirmDialog
      open
      {...question}
      title="Go on with the plan"
      sentence={`“${plan.title}” is sent to the hosts that it has not reached${isInWaves ? ", in the waves that it was started with" : ""}. Every host judges it by itself.`}
      confirm="Go on with the plan"
    >
      <p>
        Hosts that have not kept the change until now no longer count, and those that have kept it stay as they are.
        {halt !== null && ` From here on it halts again ${whenHalts(halt, isInWaves)}.`}
      </p>
    </ConfirmDialog>
  );
}

function hostWords(count: number): string {
  return count === 1 ? "its host" : `its ${count.toLocaleString("en-GB")} hosts`;
}
