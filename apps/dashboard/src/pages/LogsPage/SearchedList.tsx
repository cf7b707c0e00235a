import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import {
  type HostLogLine,
  type LogFilter,
  logCountsQuery,
  logPagesQuery,
  newestLogQuery,
} from "../../api/host-logs.ts";
import type { Stretch } from "../../api/metrics.ts";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Link } from "../../ui/Link.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { utcMoment } from "../../ui/time-axis.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { minuteOf } from "../../widgets/HostLogs/log-ranges.ts";
import { type LogsAddress, logsHref } from "../../widgets/HostLogs/logs-address.ts";
import { sumBars } from "./log-bars.ts";
import { lineRows } from "./log-rows.ts";
import { LogTable } from "./LogTable.tsx";
import styles from "./LogsPage.module.css";
import type { ReadWords } from "./read-words.ts";
import { countLines, sayFilter } from "./say-logs.ts";

export interface LogListProps {
  readonly filter: LogFilter;
  readonly wanted: ReadWords;
  readonly address: LogsAddress;
  readonly nameOf: (id: string) => string;
  readonly onChoose: (line: HostLogLine) => void;
  readonly onShow: (change: Partial<LogsAddress>) => void;
}

/** What was found, page after page. It stays as it was read: whoever wants what is new follows, or reads again. */
export function SearchedList(props: LogListProps & { readonly stretch: Stretch }) {
  const { filter, wanted, address, nameOf, stretch, onChoose } = props;
  const pages = useInfiniteQuery(logPagesQuery({ ...filter, q: wanted.query }, stretch));
  const counts = useQuery(logCountsQuery(filter, stretch)).data;
  const rows = useMemo(() => lineRows(pages.data?.pages.flatMap(({ items }) => items) ?? []), [pages.data]);
  const retry = { onRetry: () => void pages.refetch(), retrying: pages.isFetching };
  if (pages.isPending) return <Skeleton shape="rows" count={12} columns={5} label="Reading lines" />;
  if (rows.length === 0 && pages.isError) {
    return <ApiErrorView error={pages.error} title="The lines could not be read" {...retry} />;
  }
  if (rows.length === 0 && !pages.hasNextPage) return <NothingFound {...props} />;
  const left =
    wanted.query !== "" || counts === undefined ? undefined : leftOf(sumBars(counts.bars).lines, rows.length);
  return (
    <>
      {pages.isError && !pages.isFetchNextPageError && (
        <ApiErrorView error={pages.error} title="The lines could not be read" size="inline" {...retry} />
      )}
      <LogTable {...{ rows, wanted, nameOf, onChoose }} chosen={address.line} isStale={pages.isPlaceholderData} />
      <div className={styles.end} role="status">
        {pages.hasNextPage ? (
          <Button size="small" look="bare" busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {rows.length === 0
              ? "Look further"
              : left === undefined
                ? "More lines"
                : `${left} more ${left === "1" ? "line" : "lines"}`}
          </Button>
        ) : (
          `${countLines(rows.length)}; that is all of them.`
        )}
        {pages.hasNextPage && (
          <span>
            {rows.length === 0
              ? "No line matches among those that were looked at so far."
              : `${countLines(rows.length)} shown`}
          </span>
        )}
      </div>
      {pages.isFetchNextPageError && (
        <ApiErrorView
          error={pages.error}
          title="Older lines could not be read"
          size="inline"
          onRetry={() => void pages.fetchNextPage()}
          retrying={pages.isFetchingNextPage}
        />
      )}
    </>
  );
}

/** Counts are of another moment than lines: what cannot be is not said. */
function leftOf(counted: number, shown: number): string | undefined {
  return counted > shown ? (counted - shown).toLocaleString("en-GB") : undefined;
}

const everything: LogFilter & { readonly q: string } = { q: "", nodes: [], sources: [], level: undefined };

function NothingFound({
  filter,
  wanted,
  address,
  nameOf,
  stretch,
  onShow,
}: LogListProps & { readonly stretch: Stretch }) {
  const any = useQuery(newestLogQuery(everything));
  const before = useQuery(
    newestLogQuery({ ...filter, q: wanted.query }, "from" in stretch ? stretch.from : undefined),
  ).data;
  const now = Date.now();
  if (any.isPending) return <Skeleton shape="rows" count={12} columns={5} label="Looking for lines" />;
  if (any.data === null) return <NoHostSends />;
  const isFiltered =
    wanted.query !== "" || filter.nodes.length + filter.sources.length > 0 || filter.level !== undefined;
  return (
    <Empty
      title="No line matches"
      action={
        isFiltered && (
          <Button onClick={() => onShow({ text: "", nodes: [], sources: [], level: undefined })}>
            Clear the filter
          </Button>
        )
      }
    >
      <p>{capital(sayFilter(address, { words: wanted.words, nameOf, now }))}.</p>
      {before !== null && before !== undefined && (
        <p>
          The newest line before that is of{" "}
          <Link href={logsHref({ ...address, chosen: minuteOf(before.at), line: undefined })}>
            {utcMoment(Date.parse(before.at), now)}
          </Link>
          .
        </p>
      )}
    </Empty>
  );
}

export function NoHostSends() {
  return (
    <Empty
      title="No host sends logs"
      command="gatehouse-agent ceiling set … --logs nginx.service"
      commandLabel="Root names units on the host"
    >
      What a host sends, its root has named there; without a name it sends nothing.
    </Empty>
  );
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
