import { type Capability, type CapabilityRisk, capabilities } from "@gatehouse/contract";
import { cx } from "../../ui/cx.ts";
import { Meter } from "../../ui/Meter.tsx";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import styles from "./CapabilityTable.module.css";
import type { CapabilityRow } from "./capability-rows.ts";

const reach: Readonly<Record<CapabilityRisk, { value: 1 | 2 | 3; word: string }>> = {
  own: { value: 1, word: "Own data" },
  fleet: { value: 2, word: "Fleet" },
  network: { value: 2, word: "Network" },
  host: { value: 3, word: "Host plans" },
};

export interface CapabilityTableProps {
  readonly label: string;
  readonly rows: readonly CapabilityRow[];
  /** The version these were compared with; without it there is nothing to compare. */
  readonly before?: string | undefined;
  readonly now: string;
  readonly egressHosts: readonly string[];
  /** Calls since it was armed; `undefined` while it is not. */
  readonly used?: ReadonlyMap<string, number> | undefined;
}

/** What it may do, how far that reaches, and what the last accepted bytes could. A gain stands on the waiting ground. */
export function CapabilityTable({ label, rows, before, now, egressHosts, used }: CapabilityTableProps) {
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          <th scope="col" className={styles.sign}>
            <VisuallyHidden>Change</VisuallyHidden>
          </th>
          <th scope="col">Capability</th>
          <th scope="col">Reach</th>
          <th scope="col" className={styles.words}>
            In plain words
          </th>
          {before !== undefined && <th scope="col">{before}</th>}
          {before !== undefined && <th scope="col">{now}</th>}
          {used !== undefined && (
            <th scope="col" className={styles.end}>
              Used
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, change }) => (
          <tr key={name} className={cx(change === "added" && styles.added, change === "removed" && styles.removed)}>
            <td className={styles.sign} aria-hidden="true">
              {change === "added" ? "+" : change === "removed" ? "−" : ""}
            </td>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td className={styles.reach}>
              <Meter {...reach[capabilities[name].risk]} />
            </td>
            <td className={styles.words}>
              {capabilities[name].says}
              {name === "http:egress" && change !== "removed" && <Hosts hosts={egressHosts} />}
            </td>
            {before !== undefined && (
              <td className={styles.side} data-label={before}>
                {change === "added" ? <span className={styles.no}>no</span> : "yes"}
              </td>
            )}
            {before !== undefined && (
              <td className={styles.side} data-label={now}>
                {change === "added" ? (
                  <b>new</b>
                ) : change === "removed" ? (
                  <span className={styles.no}>removed</span>
                ) : (
                  "yes"
                )}
              </td>
            )}
            {used !== undefined && <UsedCell name={name} gone={change === "removed"} calls={used.get(name) ?? 0} />}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Host plans are counted when they are applied, not by calls of the broker: a nought there would accuse nobody of anything. */
function UsedCell({ name, gone, calls }: { name: Capability; gone: boolean; calls: number }) {
  if (gone || capabilities[name].risk === "host") return <td className={styles.end} />;
  return (
    <td className={cx(styles.end, calls === 0 && styles.no)} data-label="Used">
      {calls === 0 ? "never" : `${calls.toLocaleString("en-GB")} times`}
    </td>
  );
}

function Hosts({ hosts }: { hosts: readonly string[] }) {
  return (
    <ul className={styles.hosts}>
      {hosts.map((host) => (
        <li key={host}>
          <code>{host}</code>
        </li>
      ))}
    </ul>
  );
}
