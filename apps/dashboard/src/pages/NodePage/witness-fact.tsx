import type { AuditWitnessView } from "@gatehouse/contract/routes";
import type { Fact } from "../../ui/Facts.tsx";
import { Link } from "../../ui/Link.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import { disbelieves, whyOf } from "../../widgets/disbelief.ts";
import styles from "./NodePage.module.css";

/** What a host holds of the audit log, or why it does not take it for the one that it saw. */
export function witnessFact(witness: AuditWitnessView): Fact {
  const { state, position, n, at } = witness;
  const label = "Audit log";
  const holds = position === null ? "" : `#${said(position)}${n === null ? "" : `, head ${said(n)}`}`;
  if (state === "refuses") {
    const refuses = disbelieves(witness);
    return {
      label,
      value: (
        <StateMark
          state={refuses ? "bad" : "warn"}
          word={refuses ? "Not the log that this host saw" : "This host cannot tell whether it is the same"}
        />
      ),
      note: (
        <>
          {whyOf(witness)} {holds !== "" && `It holds ${holds}. `}
          <Link href={refuses ? "/audit" : "/audit?witnesses=true"} look="quiet">
            What to do
          </Link>
        </>
      ),
    };
  }
  if (position === null) {
    return { label, value: <span className={styles.quiet}>no head told: away, or an agent that keeps none</span> };
  }
  return {
    label,
    value: `Holds ${holds}`,
    note: (
      <>
        {at !== null && (
          <>
            Signed <Time at={at} />,{" "}
          </>
        )}
        {state === "agrees" ? "the newest there is." : "an older head of this log."}
      </>
    ),
  };
}

function said(count: number): string {
  return count.toLocaleString("en-GB");
}
