import type { AuditEntryView } from "@gatehouse/contract/routes";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useMay } from "../../api/auth.ts";
import { planPages, plansStopQuery } from "../../api/plans.ts";
import { ButtonLink } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { useWho } from "../../widgets/AuditSentence/use-who.ts";
import { ListError } from "../../widgets/ListPager/ListError.tsx";
import { ListPager } from "../../widgets/ListPager/ListPager.tsx";
import { newPlanHref, plansHref } from "../../widgets/Plans/plans-href.ts";
import { StopPlansButton } from "../../widgets/Plans/StopPlansButton.tsx";
import { NoPlans } from "./NoPlans.tsx";
import { PlanFilters, readPlanChoice, sayNoPlan } from "./PlanFilters.tsx";
import styles from "./PlansPage.module.css";
import { PlanTable } from "./PlanTable.tsx";

const none: readonly AuditEntryView[] = [];

/** What somebody wants to change: every plan, how far it came, and what the lint says of it. */
export function PlansPage() {
  const chosen = readPlanChoice(useSearch({ strict: false }));
  const isFiltered = chosen.state !== undefined || chosen.waiting !== undefined;
  const plans = useInfiniteQuery({ ...planPages(chosen), placeholderData: keepPreviousData });
  const stop = useQuery(plansStopQuery);
  const nameOf = useWho(none);
  const mayPlan = useMay("plan:create");
  const all = plans.data?.pages.flatMap(({ items }) => items);
  return (
    <div className={styles.page}>
      <PageHead
        title="Plans"
        meta="What would change on hosts, who approved it, and what became of it."
        actions={
          <>
            <StopPlansButton />
            {mayPlan && (
              <ButtonLink href={newPlanHref()} look="primary">
                New plan
              </ButtonLink>
            )}
          </>
        }
      />
      {stop.isError && (
        <ApiErrorView error={stop.error} title="Whether plans are stopped could not be read" size="inline" />
      )}
      {plans.isPending && <Skeleton shape="rows" count={8} columns={7} label="Reading plans" />}
      <ListError list={plans} noun="plans" />
      {all?.length === 0 && !isFiltered && <NoPlans />}
      {all !== undefined && (all.length > 0 || isFiltered) && (
        <>
          <PlanFilters chosen={chosen} />
          {all.length > 0 ? (
            <PlanTable plans={all} nameOf={nameOf} isStale={plans.isPlaceholderData} />
          ) : (
            <Empty title={sayNoPlan(chosen)} action={<ButtonLink href={plansHref()}>All plans</ButtonLink>}>
              {chosen.waiting === "me"
                ? "Plans in review that you could approve and have not stand here."
                : "The filter is in the address; without it every plan is listed."}
            </Empty>
          )}
          <ListPager list={plans} noun="plans" />
        </>
      )}
    </div>
  );
}
