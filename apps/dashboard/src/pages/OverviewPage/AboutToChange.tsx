import type { PlanState } from "@gatehouse/contract";
import { useQueries } from "@tanstack/react-query";
import { Fragment } from "react";
import { newestPlansQuery } from "../../api/plans.ts";
import { Link } from "../../ui/Link.tsx";
import { Section } from "../../ui/Section.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { plansHref } from "../../widgets/Plans/plans-href.ts";
import styles from "./OverviewPage.module.css";

/** What plans are counted, the nearest to a host first. */
const counted: readonly { readonly state: PlanState; readonly word: string }[] = [
  { state: "running", word: "running" },
  { state: "halted", word: "halted" },
  { state: "approved", word: "approved" },
  { state: "in_review", word: "in review" },
];

/** Plans on their way to hosts: those that run or may be started are counted. */
export function AboutToChange() {
  const reads = useQueries({ queries: counted.map(({ state }) => newestPlansQuery(state)) });
  const failed = reads.find(({ isError }) => isError);
  const isRead = reads.every(({ data }) => data !== undefined);
  return (
    <Section
      title="About to change"
      count={isRead ? nearOf(reads.map(({ data }) => data)) : undefined}
      more={{ href: plansHref(), label: "All plans" }}
    >
      {reads.some(({ isPending }) => isPending) && <Skeleton count={1} label="Reading the plans" />}
      {failed !== undefined && (
        <ApiErrorView
          error={failed.error}
          title="The plans could not be read"
          size="inline"
          onRetry={() => reads.forEach(({ refetch }) => void refetch())}
          retrying={reads.some(({ isFetching }) => isFetching)}
        />
      )}
      {isRead && (
        <p className={styles.none}>
          Plans:{" "}
          {counted.map(({ state, word }, at) => (
            <Fragment key={state}>
              {at > 0 && ", "}
              <Link href={plansHref(state)} look="count">
                {countWords(reads[at]?.data)} {word}
              </Link>
            </Fragment>
          ))}
          .
        </p>
      )}
    </Section>
  );
}

/** Running, halted and approved ones: nobody has to be asked any more. */
function nearOf(reads: readonly (Counted | undefined)[]): number {
  return reads.slice(0, 3).reduce((sum, read) => sum + (read?.items.length ?? 0), 0);
}

interface Counted {
  readonly items: readonly unknown[];
  readonly nextCursor: string | null;
}

function countWords({ items, nextCursor }: Counted = { items: [], nextCursor: null }): string {
  return `${items.length.toLocaleString("en-GB")}${nextCursor === null ? "" : " or more"}`;
}
