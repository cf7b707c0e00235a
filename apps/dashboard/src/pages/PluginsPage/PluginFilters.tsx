import type { Plugin } from "@gatehouse/contract/routes";
import { Link } from "../../ui/Link.tsx";
import { Mark, type State } from "../../ui/StateMark.tsx";
import { type PluginFilter, summaryOf } from "../../widgets/PluginSummary/plugin-summary.ts";
import styles from "./PluginsPage.module.css";

type Filter = PluginFilter | "rejected";

const filters: readonly { readonly key: Filter; readonly word: string; readonly state: State }[] = [
  { key: "waiting", word: "Waiting for you", state: "wait" },
  { key: "failing", word: "Failing", state: "bad" },
  { key: "active", word: "Active", state: "ok" },
  { key: "off", word: "Off", state: "quiet" },
  { key: "rejected", word: "Rejected", state: "refused" },
];

/** The filter the address names; `undefined` shows all. */
export function readFilter(search: Readonly<Record<string, unknown>>): Filter | undefined {
  return filters.find(({ key }) => key === search["state"])?.key;
}

export interface PluginFiltersProps {
  readonly items: readonly Plugin[];
  readonly rejected: number;
  readonly chosen: Filter | undefined;
}

/** Counts that are filters, and filters that are addresses. */
export function PluginFilters({ items, rejected, chosen }: PluginFiltersProps) {
  const count = (key: Filter) =>
    key === "rejected" ? rejected : items.filter((item) => summaryOf(item).filter === key).length;
  return (
    <nav className={styles.filters} aria-label="Filter by state">
      <Link href="/plugins" look="bare" aria-current={chosen === undefined ? "true" : undefined}>
        All <b>{items.length + rejected}</b>
      </Link>
      {filters.map(({ key, word, state }) => (
        <Link key={key} href={`/plugins?state=${key}`} look="bare" aria-current={chosen === key ? "true" : undefined}>
          <Mark state={state} size={9} /> {word} <b>{count(key)}</b>
        </Link>
      ))}
    </nav>
  );
}
