import type { Plugin } from "@gatehouse/contract/routes";
import { Link } from "../../ui/Link.tsx";
import { Mark, type State } from "../../ui/StateMark.tsx";
import { type Shelf, standingOf } from "../../widgets/PluginStanding/plugin-standing.ts";
import styles from "./PluginsPage.module.css";

type Filter = Shelf | "rejected";

const filters: readonly { readonly key: Filter; readonly word: string; readonly state: State }[] = [
  { key: "waiting", word: "Waiting for you", state: "wait" },
  { key: "failing", word: "Failing", state: "bad" },
  { key: "active", word: "Active", state: "ok" },
  { key: "off", word: "Off", state: "quiet" },
  { key: "rejected", word: "Rejected", state: "refused" },
];

/** The filter the address names; `undefined` shows all. */
export function readShelf(search: Readonly<Record<string, unknown>>): Filter | undefined {
  return filters.find(({ key }) => key === search["state"])?.key;
}

export interface PluginFiltersProps {
  readonly items: readonly Plugin[];
  readonly rejected: number;
  readonly shelf: Filter | undefined;
}

/** Counts that are filters, and filters that are addresses. */
export function PluginFilters({ items, rejected, shelf }: PluginFiltersProps) {
  const count = (key: Filter) =>
    key === "rejected" ? rejected : items.filter((item) => standingOf(item).shelf === key).length;
  return (
    <nav className={styles.filters} aria-label="Filter by state">
      <Link href="/plugins" look="bare" aria-current={shelf === undefined ? "true" : undefined}>
        All <b>{items.length + rejected}</b>
      </Link>
      {filters.map(({ key, word, state }) => (
        <Link key={key} href={`/plugins?state=${key}`} look="bare" aria-current={shelf === key ? "true" : undefined}>
          <Mark state={state} size={9} /> {word} <b>{count(key)}</b>
        </Link>
      ))}
    </nav>
  );
}
