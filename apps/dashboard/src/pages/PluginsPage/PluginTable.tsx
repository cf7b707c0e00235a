import type { Plugin } from "@gatehouse/contract/routes";
import { StateMark } from "../../ui/StateMark.tsx";
import { type Column, Table } from "../../ui/Table.tsx";
import { shortDigest, summaryOf } from "../../widgets/PluginSummary/plugin-summary.ts";
import styles from "./PluginsPage.module.css";

const columns: readonly Column<Plugin>[] = [
  {
    key: "name",
    head: "Plugin",
    least: 150,
    cell: ({ name, id }) => (
      <>
        {name}
        <code className={styles.id}>{id}</code>
      </>
    ),
  },
  {
    key: "state",
    head: "State",
    least: 170,
    cell: (plugin) => {
      const { state, word, cause } = summaryOf(plugin);
      return (
        <>
          <StateMark state={state} word={word} />
          {cause !== null && <span className={styles.cause}>{cause}</span>}
        </>
      );
    },
  },
  { key: "version", head: "Version", least: 76, cell: ({ version }) => version, phone: "time" },
  { key: "publisher", head: "Publisher", drop: 3, cell: ({ publisher }) => publisher, phone: "hidden" },
  {
    key: "digest",
    head: "Digest",
    least: 136,
    cell: ({ artifactSha256 }) => (
      <code className={styles.digest} title={artifactSha256}>
        {shortDigest(artifactSha256)}
      </code>
    ),
    phoneLabel: true,
  },
  {
    key: "sandbox",
    head: "Sandbox",
    drop: 2,
    cell: ({ runtime }) => runtime.sandbox ?? <span className={styles.quiet}>not armed</span>,
    phone: "hidden",
  },
  {
    key: "breaker",
    head: "Breaker",
    drop: 1,
    cell: ({ runtime }) =>
      runtime.breaker === null ? (
        ""
      ) : runtime.breaker === "closed" ? (
        "closed"
      ) : (
        <b>{runtime.breaker.replace("-", " ")}</b>
      ),
    phone: "hidden",
  },
  {
    key: "next",
    head: "Next step",
    least: 140,
    cell: (plugin) => {
      const { next } = summaryOf(plugin);
      return next === null ? null : <b className={styles.next}>{next}</b>;
    },
    phoneLabel: true,
  },
];

export function PluginTable({
  plugins,
  filtered,
}: {
  readonly plugins: readonly Plugin[];
  readonly filtered: boolean;
}) {
  if (plugins.length === 0) {
    return (
      <p className={styles.none}>
        {filtered ? "No plugin is in this state." : "No bundle was accepted at the last start."}
      </p>
    );
  }
  return (
    <Table
      label="Plugins"
      columns={columns}
      rows={[...plugins].sort(byNeed)}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/plugins/${id}`}
      rowHeight={51}
    />
  );
}

const need = { waiting: 0, failing: 1, active: 2, off: 3 } as const;

/** What needs somebody comes first. */
function byNeed(a: Plugin, b: Plugin): number {
  return need[summaryOf(a).filter] - need[summaryOf(b).filter] || a.name.localeCompare(b.name, "en");
}
