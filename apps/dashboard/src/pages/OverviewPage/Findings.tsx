import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "../../ui/Link.tsx";
import { List, ListItem } from "../../ui/List.tsx";
import { Section } from "../../ui/Section.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Time } from "../../ui/Time.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { WithIds } from "../../widgets/WithIds/WithIds.tsx";
import type { Finding, FindingsLink } from "./findings.ts";
import styles from "./OverviewPage.module.css";

export interface FindingsProps {
  readonly title: string;
  readonly findings: readonly Finding[] | undefined;
  readonly query: Pick<UseQueryResult, "isPending" | "isError" | "isFetching" | "error" | "refetch">;
  /** Where all of them are. */
  readonly more: readonly FindingsLink[];
  /** Said when there are none. */
  readonly none: string;
}

const most = 6;

/** What stands in one of the two lists that ask for somebody. */
export function Findings({ title, findings, query, more, none }: FindingsProps) {
  const shown = findings?.slice(0, most);
  return (
    <Section title={title} count={findings?.length} aside={findings && findings.length > 0 && <Links to={more} />}>
      {query.isPending && <Skeleton shape="list" count={3} label={`Reading: ${title}`} />}
      {query.isError && (
        <ApiErrorView
          error={query.error}
          title={findings === undefined ? "This could not be read" : "This is not up to date"}
          size={findings === undefined ? "block" : "inline"}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      )}
      {shown?.length === 0 && <p className={styles.none}>{none}</p>}
      {shown !== undefined && shown.length > 0 && (
        <List label={title}>
          {shown.map(({ key, state, word, title: name, line, at, href }) => (
            <ListItem
              key={key}
              state={state}
              stateWord={word}
              title={name}
              href={href}
              line={<WithIds text={line} />}
              time={at === null ? undefined : <Time at={at} />}
            />
          ))}
        </List>
      )}
      {findings !== undefined && findings.length > most && (
        <p className={styles.none}>{findings.length - most} more, under the links above.</p>
      )}
    </Section>
  );
}

function Links({ to }: { readonly to: readonly FindingsLink[] }) {
  return to.map(({ href, label }) => (
    <Link key={href} href={href} look="quiet">
      {label}
    </Link>
  ));
}
