import type { PlanApprovalView } from "@gatehouse/contract/routes";
import { Time } from "../../ui/Time.tsx";
import { shortFingerprint } from "./approval-words.ts";
import { Line } from "./Block.tsx";
import styles from "./Block.module.css";

export interface GivenApprovalProps {
  readonly approval: PlanApprovalView;
  readonly nameOf: (actor: string) => string;
}

/** Who approved, with what, for how many hosts and until when. */
export function GivenApproval({
  approval: { kind, user, at, fingerprint, notBefore, notAfter, sections },
  nameOf,
}: GivenApprovalProps) {
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
