import { type PlanState, planStates } from "@gatehouse/contract";
import { Link } from "../../ui/Link.tsx";
import { Mark } from "../../ui/StateMark.tsx";
import { planStateWords } from "../../widgets/Plans/plan-state.ts";
import { plansHref } from "../../widgets/Plans/plans-href.ts";
import styles from "./PlansPage.module.css";

/** States that plans of this version reach. Others are offered when the address names them. */
const reached: readonly PlanState[] = ["in_review", "linted", "draft", "rejected", "expired"];

export function readPlanState(search: Readonly<Record<string, unknown>>): PlanState | undefined {
  return planStates.find((state) => state === search["state"]);
}

/** Filters that are addresses. */
export function PlanFilters({ chosen }: { readonly chosen: PlanState | undefined }) {
  const offered = chosen === undefined || reached.includes(chosen) ? reached : [...reached, chosen];
  return (
    <nav className={styles.states} aria-label="Filter by state">
      <Link href={plansHref()} look="bare" aria-current={chosen === undefined ? "true" : undefined}>
        All
      </Link>
      {offered.map((state) => (
        <Link key={state} href={plansHref(state)} look="bare" aria-current={chosen === state ? "true" : undefined}>
          <Mark state={planStateWords[state].state} size={9} /> {planStateWords[state].word}
        </Link>
      ))}
    </nav>
  );
}
