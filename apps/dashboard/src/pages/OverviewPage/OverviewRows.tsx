import type { UseQueryResult } from "@tanstack/react-query";
import type { Overview } from "../../api/overview.ts";
import { Link } from "../../ui/Link.tsx";
import { List, ListItem } from "../../ui/List.tsx";
import { Section } from "../../ui/Section.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Time } from "../../ui/Time.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { WithIds } from "../../widgets/WithIds/WithIds.tsx";
import { linksOf } from "./overview-places.ts";
import { rowsOf } from "./overview-rows.ts";
import styles from "./OverviewPage.module.css";

export interface OverviewRowsProps {
  readonly title: string;
  readonly area: "broken" | "waiting" | "changing";
  readonly query: UseQueryResult<Overview>;
  /** Said when there are none. */
  readonly none: string;
}

/** One of the lists that ask for somebody. */
export function OverviewRows({ title, area, query, none }: OverviewRowsProps) {
  const list = query.data?.[area];
  const rows = list && rowsOf(list, area === "broken" ? 8 : 5);
  const links = list && linksOf(list);
  return (
    <Section
      title={title}
      count={list && list.items.length + list.more}
      aside={links?.map(({ href, label }) => (
        <Link key={label} href={href} look="quiet">
          {label}
        </Link>
      ))}
    >
      {query.isPending && <Skeleton shape="list" count={3} label={`Reading: ${title}`} />}
      {query.isError && (
        <ApiErrorView
          error={query.error}
          title={list === undefined ? "This could not be read" : "This is not up to date"}
          size={list === undefined ? "block" : "inline"}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      )}
      {rows?.length === 0 && <p className={styles.none}>{none}</p>}
      {rows !== undefined && rows.length > 0 && (
        <List label={title}>
          {rows.map(({ key, state, word, title: name, line, since, until, href }) => (
            <ListItem
              key={key}
              state={state}
              stateWord={word}
              title={name}
              href={href}
              line={<WithIds text={line} />}
              {...timeOf(since, until, Date.parse(query.data?.at ?? ""))}
            />
          ))}
        </List>
      )}
    </Section>
  );
}

const dayMs = 86_400_000;

/** What ends, or else since when it is so. A time that is near is in the colour of what waits. */
function timeOf(since: string | null, until: string | null, now: number) {
  if (until === null) return { time: since === null ? undefined : <Time at={since} /> };
  const left = Date.parse(until) - now;
  const time = (
    <>
      {left < 0 ? "ended" : "ends"} <Time at={until} />
    </>
  );
  return { time, soon: left < dayMs };
}
