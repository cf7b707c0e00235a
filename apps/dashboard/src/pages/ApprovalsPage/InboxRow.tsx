import type { Plan } from "@gatehouse/contract/routes";
import type { ReactNode } from "react";
import { cx } from "../../ui/cx.ts";
import { Link } from "../../ui/Link.tsx";
import { hourAndMinute } from "../../ui/relative-time.ts";
import { Mark, type State, StateMark } from "../../ui/StateMark.tsx";
import { findingWords } from "../../widgets/Plans/plan-state.ts";
import styles from "./ApprovalsPage.module.css";
import { sayApprovers, timeLeft } from "./inbox-words.ts";
import { ApprovalSlots } from "./ApprovalSlots.tsx";

export interface InboxRowProps {
  readonly plan: Plan;
  readonly state: State;
  readonly word: string;
  readonly isPicked: boolean;
  /** Nothing is expected of the reader. */
  readonly isQuiet?: boolean;
  /** How and when it was decided, in the place of the time that is left. */
  readonly ended?: { readonly word: string; readonly at: string };
  readonly nameOf: (actor: string) => string;
  readonly now: number;
  /** The second line: whom it reaches, or why it is not the reader's. */
  readonly children: ReactNode;
}

export function InboxRow(props: InboxRowProps) {
  const { plan, state, word, isPicked, isQuiet = false, ended, nameOf, now, children } = props;
  const left = timeLeft(plan.expiresAt, now);
  return (
    <li className={cx(styles.row, isPicked && styles.pick, isQuiet && styles.dim)}>
      <span className={styles.mark}>
        <StateMark state={state} word={word} hideWord />
      </span>
      <div className={styles.what}>
        <Link
          href={`/approvals?plan=${plan.id}`}
          look="bare"
          className={styles.title}
          aria-current={isPicked ? "true" : undefined}
        >
          {plan.title}
        </Link>
        <p>{children}</p>
      </div>
      <div className={styles.lint}>
        <Findings findings={plan.findings} />
      </div>
      <div className={styles.given}>
        <ApprovalSlots plan={plan} now={now} />
        <span>{sayApprovers(plan, nameOf)}</span>
      </div>
      <div className={styles.left}>
        <b className={cx(left.isSoon && ended === undefined && styles.soon)}>{ended?.word ?? left.words}</b>
        <span>{ended?.at ?? `to ${hourAndMinute(Date.parse(plan.expiresAt), now)}`}</span>
      </div>
    </li>
  );
}

function Findings({ findings }: Pick<Plan, "findings">) {
  const words = findingWords(findings);
  if (words === "") return <span className={styles.clean}>clean</span>;
  return (
    <>
      <Mark state={findings.refuse > 0 ? "bad" : "warn"} size={9} /> {words}
    </>
  );
}
