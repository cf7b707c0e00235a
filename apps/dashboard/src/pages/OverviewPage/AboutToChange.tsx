import type { PlanState } from "@gatehouse/contract";
import type { Plan } from "@gatehouse/contract/routes";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { newestPlansQuery } from "../../api/plans.ts";
import { Link } from "../../ui/Link.tsx";
import { Section } from "../../ui/Section.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { plansHref } from "../../widgets/Plans/plans-href.ts";
import styles from "./OverviewPage.module.css";

/** Plans that somebody has to look at. Nothing is about to change by them: this version applies none, and it says so. */
export function AboutToChange() {
  const inReview = useQuery(newestPlansQuery("in_review"));
  const refused = useQuery(newestPlansQuery("draft"));
  const failed = [inReview, refused].find(({ isError }) => isError);
  const retry = (): void => {
    void inReview.refetch();
    void refused.refetch();
  };
  return (
    <Section title="About to change" count={0} more={{ href: plansHref(), label: "All plans" }}>
      {(inReview.isPending || refused.isPending) && <Skeleton count={1} label="Reading the plans" />}
      {failed !== undefined && (
        <ApiErrorView
          error={failed.error}
          title="The plans could not be read"
          size="inline"
          onRetry={retry}
          retrying={inReview.isFetching || refused.isFetching}
        />
      )}
      {inReview.data !== undefined && refused.data !== undefined && (
        <p className={styles.none}>
          Plans: <Count plans={inReview} state="in_review" one="in review" many="in review" />,{" "}
          <Count plans={refused} state="draft" one="draft that the lint refuses" many="drafts that the lint refuses" />.
          This version of the server applies none of them, so it cannot change a host.
        </p>
      )}
    </Section>
  );
}

interface CountProps {
  readonly plans: UseQueryResult<{ readonly items: readonly Plan[]; readonly nextCursor: string | null }>;
  readonly state: PlanState;
  readonly one: string;
  readonly many: string;
}

function Count({ plans: { data }, state, one, many }: CountProps) {
  const count = data?.items.length ?? 0;
  const orMore = typeof data?.nextCursor === "string" ? " or more" : "";
  return (
    <Link href={plansHref(state)} look="count">
      {count.toLocaleString("en-GB")}
      {orMore} {count === 1 ? one : many}
    </Link>
  );
}
