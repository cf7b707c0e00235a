import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Pause, Play } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { useMay } from "../../api/auth.ts";
import { type HostLogLine, type LogFilter, logCountsQuery, logLineQuery } from "../../api/host-logs.ts";
import { nodesQuery } from "../../api/nodes.ts";
import { Button } from "../../ui/Button.tsx";
import { Link } from "../../ui/Link.tsx";
import { useAtMost } from "../../ui/use-at-most.ts";
import { useClock } from "../../ui/use-clock.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { type LogRange, logRanges } from "../../widgets/HostLogs/log-ranges.ts";
import { type LogsAddress, logsHref, readLogsAddress } from "../../widgets/HostLogs/logs-address.ts";
import { type Step, useSheetSteps } from "../../widgets/Sheets/use-sheet-steps.ts";
import { FollowedList } from "./FollowedList.tsx";
import { LinePane } from "./LinePane.tsx";
import { followedStretch, windowOf } from "./log-window.ts";
import { LogBars } from "./LogBars.tsx";
import { LogFilters } from "./LogFilters.tsx";
import { LogFilterSheet } from "./LogFilterSheet.tsx";
import { LogSearch } from "./LogSearch.tsx";
import styles from "./LogsPage.module.css";
import { readWords } from "./read-words.ts";
import { SearchedList } from "./SearchedList.tsx";

const rangeNames = Object.keys(logRanges) as readonly LogRange[];
const inPlace: Step = { replace: true, state: {} };
/** Below this a chosen line is a sheet, and below that the filters are. */
const paneWidth = 1_180;
const filtersWidth = 900;
const barsEveryMs = 5_000;

/** The lines that hosts send of their logs: searched, counted over time, followed. */
export function LogsPage() {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const client = useQueryClient();
  const now = useClock();
  const address = useMemo(() => readLogsAddress(search), [search]);
  const { text, nodes, sources, level, range, chosen, line, isFollowed } = address;
  const fleet = useQuery({ ...nodesQuery, enabled: useMay("node:read") }).data;
  const names = useMemo(() => new Map(fleet?.map(({ id, name }) => [id, name])), [fleet]);
  const nameOf = useCallback((id: string) => names.get(id) ?? id, [names]);
  // The address is compared by its text: another line in it must not begin a new search.
  const written = JSON.stringify({ nodes, sources, level } satisfies LogFilter);
  const filter = useMemo(() => JSON.parse(written) as LogFilter, [written]);
  const wanted = useMemo(() => readWords(text), [text]);
  const [isPaused, setPaused] = useState(false);
  const hasPane = !useAtMost(paneWidth);
  const hasFilters = !useAtMost(filtersWidth);
  const from = chosen?.from;
  const to = chosen?.to;
  const shown = useMemo(() => {
    const part = from === undefined || to === undefined ? undefined : { from, to };
    const window = isFollowed ? followedStretch : windowOf(range, part, Date.now());
    return { window, listed: isFollowed ? followedStretch : (part ?? window) };
  }, [isFollowed, range, from, to]);
  const everyMs = isFollowed && !isPaused ? barsEveryMs : undefined;
  const counts = useQuery(logCountsQuery(filter, shown.window, everyMs));

  const show = (change: Partial<LogsAddress>, step: Step = inPlace): void => {
    void navigate({ href: logsHref({ ...address, ...change }), ...step, resetScroll: false });
  };
  const sheet = useSheetSteps(line !== undefined && !hasPane);
  const choose = (one: HostLogLine): void => {
    client.setQueryData(logLineQuery(one.id).queryKey, one);
    if (hasPane) show({ line: one.id });
    else sheet.open((step) => show({ line: one.id }, step));
  };
  const letGo = (): void => {
    if (hasPane) show({ line: undefined });
    else sheet.close((step) => show({ line: undefined }, step));
  };
  const readAgain = (): void => {
    void client.resetQueries({ queryKey: ["host-logs"] });
    void client.invalidateQueries({ queryKey: ["host-log-counts"] });
    void client.invalidateQueries({ queryKey: ["host-log-newest"] });
  };
  const filters = { address, filter, fleet, nameOf, stretch: shown.listed, everyMs, onShow: show };
  const listing = { filter, wanted, address, nameOf, onChoose: choose, onShow: show };
  const shell = { address, query: wanted.query, nameOf };
  return (
    <>
      <header className={styles.head}>
        <h1>Logs</h1>
        {hasFilters ? (
          <LogSearch text={text} onText={(next) => show({ text: next })} />
        ) : (
          <LogFilterSheet {...filters} />
        )}
        <FollowButton
          {...{ isFollowed, isPaused }}
          onPress={() => {
            setPaused(isFollowed && !isPaused);
            if (!isFollowed) show({ isFollowed: true, chosen: undefined, line: undefined });
          }}
        />
      </header>
      {counts.isError && (
        <ApiErrorView
          error={counts.error}
          title="The lines could not be counted"
          size="inline"
          onRetry={() => void counts.refetch()}
          retrying={counts.isFetching}
        />
      )}
      <LogBars
        counts={counts.data}
        isBusy={counts.isPending || counts.isPlaceholderData}
        chosen={chosen}
        now={now}
        label={isFollowed ? "in the last 5 minutes" : chosenRangeWords(shown.window, range)}
        isCounted={wanted.query === ""}
        isLevelled={level !== undefined}
        onChoose={(part) => show({ chosen: part, line: undefined, isFollowed: false })}
        ranges={
          <nav aria-label="Range" className={styles.ranges}>
            {rangeNames.map((one) => (
              <Link
                key={one}
                href={logsHref({ ...address, range: one, chosen: undefined, line: undefined, isFollowed: false })}
                look="bare"
                aria-current={one === range && !isFollowed ? "true" : undefined}
              >
                {logRanges[one].label}
              </Link>
            ))}
            {!isFollowed && (
              <Button look="bare" size="small" onClick={readAgain}>
                Read again
              </Button>
            )}
          </nav>
        }
      />
      <div className={styles.columns}>
        {hasFilters && (
          <aside className={styles.filters} aria-label="Filters">
            <LogFilters {...filters} />
          </aside>
        )}
        <div className={styles.list}>
          {isFollowed ? (
            // Another filter is another following.
            <FollowedList key={`${written} ${wanted.query}`} {...listing} isPaused={isPaused} />
          ) : (
            <SearchedList {...listing} stretch={shown.listed} />
          )}
        </div>
        <LinePane {...{ line, hasPane, nameOf, shell, isFollowed }} onClose={letGo} />
      </div>
    </>
  );
}

function chosenRangeWords(window: object, range: LogRange): string {
  return "lastMs" in window ? `in the ${logRanges[range].words}` : "then";
}

function FollowButton(props: {
  readonly isFollowed: boolean;
  readonly isPaused: boolean;
  readonly onPress: () => void;
}) {
  const isRunning = props.isFollowed && !props.isPaused;
  return (
    <Button
      className={isRunning ? styles.running : undefined}
      icon={isRunning ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
      onClick={props.onPress}
    >
      {isRunning ? "Pause" : props.isFollowed ? "Follow" : "Follow live"}
    </Button>
  );
}
