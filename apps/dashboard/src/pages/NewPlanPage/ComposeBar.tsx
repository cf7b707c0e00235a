import type { Plan } from "@gatehouse/contract/routes";
import { Button } from "../../ui/Button.tsx";
import { findingWords } from "../../widgets/Plans/plan-state.ts";
import styles from "./NewPlanPage.module.css";
import type { ComposedPlan } from "./use-composed-plan.ts";

export interface ComposeBarProps {
  readonly composed: ComposedPlan;
  /** How many hosts are asked. */
  readonly count: number;
  /** Something that was asked for is still not there. */
  readonly isMissing: boolean;
}

/** What the next step does, and its button. A plan that the lint refuses has none that leads to review. */
export function ComposeBar({ composed, count, isMissing }: ComposeBarProps) {
  const { plan, isStale, isReading, isOffering, offer } = composed;
  const isFresh = plan !== undefined && !isStale && !isReading;
  const mayOffer = isFresh && plan.findings.refuse === 0 && plan.state === "linted";
  return (
    <div className={styles.bar}>
      <p role="status">
        {isFresh ? (
          <Verdict plan={plan} />
        ) : (
          <Before {...{ count, isMissing, isReading }} isAgain={plan !== undefined} />
        )}
      </p>
      <div className={styles.barButtons}>
        <Button type="submit" look={mayOffer ? "quiet" : "primary"} busy={isReading}>
          {plan === undefined ? "Read the hosts" : "Read again"}
        </Button>
        {mayOffer && (
          <Button look="primary" busy={isOffering} onClick={offer}>
            Submit for review
          </Button>
        )}
      </div>
    </div>
  );
}

function Verdict({ plan }: { readonly plan: Plan }) {
  const { refuse } = plan.findings;
  if (refuse > 0) {
    return (
      <>
        <b>The lint refuses it: {findingWords(plan.findings)}.</b> It stays a draft and nobody can be asked to review
        it. Change what is named above, and read again.
      </>
    );
  }
  if (plan.state !== "linted") return <b>It is in other hands now: look at the plan.</b>;
  const words = findingWords(plan.findings);
  return (
    <>
      <b>{words === "" ? "No warning, no refusal." : `${firstUpper(words)}, no refusal.`}</b> Submitting asks others to
      look at exactly these bytes, <code>{plan.digest.slice(0, 16)}</code>. No host is touched before they approve.
    </>
  );
}

interface BeforeProps extends Pick<ComposeBarProps, "count" | "isMissing"> {
  readonly isReading: boolean;
  readonly isAgain: boolean;
}

function Before({ count, isMissing, isReading, isAgain }: BeforeProps) {
  const hosts = `${count.toLocaleString("en-GB")} ${count === 1 ? "host" : "hosts"}`;
  if (isReading) return <>Reading {hosts}. You can go on writing.</>;
  if (isMissing) return <b>Something is missing: it is marked in the form.</b>;
  if (isAgain) return <>What you wrote has changed. Reading again makes a plan that takes the place of the first.</>;
  return (
    <>
      Reading asks {count === 0 ? "the hosts" : hosts} what they are like now, and keeps the plan. No host is changed.
    </>
  );
}

function firstUpper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
