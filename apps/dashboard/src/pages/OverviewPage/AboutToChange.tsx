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

/** Plans on their way to hosts. Nothing is changed by them: this version applies none, and it says so. */
export function AboutToChange() {
  const reads = useQueries({ queries: counted.map(({ state }) => newestPlansQuery(state)) });
  const failed = reads.find(({ isError }) => isError);
  const isRead = reads.every(({ data }) => data !== undefined);
  return (
    <Section title="About to change" count={0} more={{ href: plansHref(), label: "All plans" }}>
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
          . This version of the agents applies none of them: no host is changed.
        </p>
      )}
    </Section>
  );
}

interface Counted {
  readonly items: readonly unknown[];
  readonly nextCursor: string | null;
}

function countWords({ items, nextCursor }: Counted = { items: [], nextCursor: null }): string {
  return `${items.length.toLocaleString("en-GB")}${nextCursor === null ? "" : " or more"}`;
}
