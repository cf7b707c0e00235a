import type { ReactNode } from "react";
import { hourAndMinute } from "../../ui/relative-time.ts";
import { Section } from "../../ui/Section.tsx";
import { sayPlanState } from "../../widgets/Plans/plan-state.ts";
import { plansHref } from "../../widgets/Plans/plans-href.ts";
import styles from "./ApprovalsPage.module.css";
import { decidedAt, type Inbox } from "./inbox.ts";
import { sayDecision, sayReach } from "./inbox-words.ts";
import { InboxRow } from "./InboxRow.tsx";

export interface InboxListsProps {
  readonly inbox: Inbox;
  /** The id of the plan that is shown beside. */
  readonly picked: string | undefined;
  readonly nameOf: (actor: string) => string;
  readonly now: number;
  readonly mayApprove: boolean;
}

/** Three lists: the reader's, those of others, and what was decided. The last two only where there is something in them. */
export function InboxLists({ inbox: { mine, others, decided }, picked, nameOf, now, mayApprove }: InboxListsProps) {
  const common = { nameOf, now };
  return (
    <>
      {(mayApprove || mine.length > 0) && (
        <Section title="Yours to decide" count={mine.length} aside={mine.length > 1 && "soonest first"}>
          {mine.length === 0 && (
            <p className={styles.empty}>
              Nothing waits for you. Plans in review that you could approve and have not stand here.
            </p>
          )}
          <Rows label="Yours to decide">
            {mine.map((plan) => (
              <InboxRow key={plan.id} {...common} plan={plan} state="wait" word="Waiting" isPicked={plan.id === picked}>
                {sayReach(plan)}, by {nameOf(plan.author)} {hourAndMinute(Date.parse(plan.createdAt), now)}
              </InboxRow>
            ))}
          </Rows>
        </Section>
      )}
      {(others.length > 0 || !mayApprove) && (
        <Section title="Not yours" count={others.length} aside="shown so that you know why">
          {others.length === 0 && <p className={styles.empty}>No plan is in review.</p>}
          <Rows label="Not yours">
            {others.map(({ plan, why: { first, rest } }) => (
              <InboxRow
                key={plan.id}
                {...common}
                plan={plan}
                state="idle"
                word="Not yours"
                isPicked={plan.id === picked}
                isQuiet
              >
                <b>{first}</b>
                {rest} {sayReach(plan)}, by {nameOf(plan.author)}
              </InboxRow>
            ))}
          </Rows>
        </Section>
      )}
      {decided.length > 0 && (
        <Section
          title="Decided"
          count={decided.length}
          aside="last 24 hours"
          more={{ href: plansHref(), label: "All plans" }}
        >
          <Rows label="Decided">
            {decided.map((plan) => {
              const { state, word } = sayPlanState(plan);
              const at = hourAndMinute(Date.parse(decidedAt(plan)), now);
              return (
                <InboxRow
                  key={plan.id}
                  {...common}
                  plan={plan}
                  state={state}
                  word={word}
                  isPicked={plan.id === picked}
                  ended={{ word: word.toLowerCase(), at }}
                  isQuiet
                >
                  {sayDecision(plan, nameOf)}
                </InboxRow>
              );
            })}
          </Rows>
        </Section>
      )}
    </>
  );
}

function Rows({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul aria-label={label} className={styles.rows}>
      {children}
    </ul>
  );
}
