import type { Plan, PlanApprovalView } from "@gatehouse/contract/routes";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Time } from "../../ui/Time.tsx";
import { Block, Line, Lines } from "./Block.tsx";
import { shortFingerprint, waitingWords } from "./approval-words.ts";
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
          <Given key={`${approval.id} ${approval.user} ${approval.keyId}`} approval={approval} nameOf={nameOf} />
        ))}
        <Waiting plan={plan} />
      </Lines>
      {maySign && <HowToSign id={plan.id} />}
    </Block>
  );
}

interface GivenProps {
  readonly approval: PlanApprovalView;
  readonly nameOf: ApprovalsProps["nameOf"];
}

function Given({ approval: { kind, user, at, fingerprint, notBefore, notAfter, sections }, nameOf }: GivenProps) {
  const now = Date.now();
  const isOver = new Date(notAfter).getTime() <= now;
  const isEarly = new Date(notBefore).getTime() > now;
  return (
    <Line state={isOver ? "idle" : "ok"}>
      <b>{nameOf(user)}</b>{" "}
      {kind === "signed" && fingerprint !== null ? (
        <>
          signed <Time at={at} /> with{" "}
          <code className={styles.whole} title={fingerprint}>
            {shortFingerprint(fingerprint)}
          </code>
        </>
      ) : (
        <>
          approved <Time at={at} /> by word to this server
        </>
      )}
      {", for "}
      {sections === 1 ? "1 host" : `${sections.toLocaleString("en-GB")} hosts`}.{" "}
      <span className={styles.quiet}>
        {isEarly && (
          <>
            Holds from <Time at={notBefore} absolute />.{" "}
          </>
        )}
        {isOver ? "Ended" : "Holds until"} <Time at={notAfter} absolute />.
      </span>
    </Line>
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
