import type { Plan } from "@gatehouse/contract/routes";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { GivenApproval } from "../../widgets/Plans/GivenApproval.tsx";
import { Block, Line, Lines } from "../../widgets/Plans/Block.tsx";
import { waitingWords } from "../../widgets/Plans/approval-words.ts";
import styles from "./PlanPage.module.css";

export interface ApprovalsProps {
  readonly plan: Plan;
  readonly nameOf: (actor: string) => string;
  /** Whether the reader could sign now. */
  readonly maySign: boolean;
}

/** Who approved, with which key and until when; who still waits; and how the reader approves. */
export function Approvals({ plan, nameOf, maySign }: ApprovalsProps) {
  const { approvals, state } = plan;
  if (state === "draft" || state === "linted") return null;
  return (
    <Block title="Approvals" aside={approvals.length.toLocaleString("en-GB")}>
      <Lines>
        {approvals.map((approval) => (
          <GivenApproval
            key={`${approval.id} ${approval.user} ${approval.keyId}`}
            approval={approval}
            nameOf={nameOf}
          />
        ))}
        <Waiting plan={plan} />
      </Lines>
      {maySign && <HowToSign id={plan.id} />}
    </Block>
  );
}

function Waiting({ plan }: Pick<ApprovalsProps, "plan">) {
  const words = waitingWords(plan);
  if (words === undefined) return null;
  return <Line state={words.isWaiting ? "wait" : "ok"}>{words.says}</Line>;
}

function HowToSign({ id }: { readonly id: string }) {
  const command = `gatehouse plan approve ${id} --key ~/.ssh/id_ed25519`;
  return (
    <div className={styles.sign}>
      <p>
        <b>You sign on your own computer.</b> This page cannot sign: it comes from the server, and a signature is there
        so that no host has to trust the server.
      </p>
      <div className={styles.command}>
        <code>{command}</code>
        <CopyButton text={command} label="the command that approves" />
      </div>
      <p className={styles.quiet}>Compare the digest that it shows with the one above. If they differ, do not sign.</p>
    </div>
  );
}
