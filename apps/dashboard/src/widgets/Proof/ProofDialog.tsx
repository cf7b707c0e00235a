import { useQueryClient } from "@tanstack/react-query";
import { whoAmIQuery } from "../../api/auth.ts";
import type { PendingProof } from "../../api/proof.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import styles from "./Proof.module.css";
import { SignInForm } from "./SignInForm.tsx";
import { StepUpForm } from "./StepUpForm.tsx";

export function ProofDialog({ pending }: { readonly pending: PendingProof }) {
  const who = useQueryClient().getQueryData(whoAmIQuery.queryKey);
  const cancel = (): void => pending.settle(false);
  const done = (): void => pending.settle(true);
  if (pending.kind === "step-up") {
    return (
      <Dialog open title="Confirm who you are" onClose={cancel}>
        <StepUpForm onDone={done} onCancel={cancel} />
      </Dialog>
    );
  }
  return (
    <Dialog open title="Your session has ended" onClose={cancel} dismissable={false}>
      <p className={styles.lead}>Sign in again to go on. The page behind stays as it is; nothing you typed is lost.</p>
      <SignInForm {...(who !== undefined && { username: who.user.username })} onDone={done} />
      <p className={styles.other}>
        {/* A whole new page: nothing of the last person stays in it. */}
        <Button look="bare" onClick={() => location.assign("/login")}>
          Sign in as somebody else
        </Button>
      </p>
    </Dialog>
  );
}
