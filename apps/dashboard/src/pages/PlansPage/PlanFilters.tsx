import { type PlanState, planStates } from "@gatehouse/contract";
import { useMay } from "../../api/auth.ts";
import type { PlanChoice } from "../../api/plans.ts";
import { Link } from "../../ui/Link.tsx";
import { Mark } from "../../ui/StateMark.tsx";
import { planStateWords } from "../../widgets/Plans/plan-state.ts";
import { plansHref, waitingPlansHref } from "../../widgets/Plans/plans-href.ts";
import styles from "./PlansPage.module.css";

/** What still goes on stands first. */
const offeredStates: readonly PlanState[] = [
  "in_review",
  "approved",
  "running",
  "halted",
  "done",
  "linted",
  "draft",
  "rejected",
  "expired",
];

export function readPlanChoice(search: Readonly<Record<string, unknown>>): PlanChoice {
  if (search["waiting"] === "me") return { waiting: "me" };
  const state = planStates.find((known) => known === search["state"]);
  return state === undefined ? {} : { state };
}

/** What was chosen, for a list that is empty by it. */
export function sayNoPlan({ state, waiting }: PlanChoice): string {
  if (waiting === "me") return "No plan waits for you";
  return state === undefined ? "No plans" : `No plan has the state “${planStateWords[state].word}”`;
}

/** Filters that are addresses. */
export function PlanFilters({ chosen: { state: chosen, waiting } }: { readonly chosen: PlanChoice }) {
  const mayApprove = useMay("plan:approve");
  const isAll = chosen === undefined && waiting === undefined;
  return (
    <nav className={styles.states} aria-label="Filter by state">
      <Link href={plansHref()} look="bare" aria-current={isAll ? "true" : undefined}>
        All
      </Link>
      {(mayApprove || waiting === "me") && (
        <Link href={waitingPlansHref} look="bare" aria-current={waiting === "me" ? "true" : undefined}>
          <Mark state="wait" size={9} /> Waiting for me
        </Link>
      )}
      {offeredStates.map((state) => (
        <Link key={state} href={plansHref(state)} look="bare" aria-current={chosen === state ? "true" : undefined}>
          <Mark state={planStateWords[state].state} size={9} /> {planStateWords[state].word}
        </Link>
      ))}
    </nav>
  );
}
