import type { Node } from "@gatehouse/contract/routes";
import { useMemo } from "react";
import type { Alert } from "../../api/alerts.ts";
import { Button } from "../../ui/Button.tsx";
import { Field } from "../../ui/Field.tsx";
import { Link } from "../../ui/Link.tsx";
import { Select } from "../../ui/Select.tsx";
import { Mark } from "../../ui/StateMark.tsx";
import { alertMarks, alertStates } from "../../widgets/Alerts/say-care.ts";
import { compareNames } from "../../widgets/Fleet/fleet-groups.ts";
import { type AlertFilter, alertsHref, countAlerts, filterAlerts } from "./alert-filter.ts";
import styles from "./AlertsPage.module.css";

export interface AlertFiltersProps {
  readonly alerts: readonly Alert[];
  readonly nodes: readonly Node[];
  readonly filter: AlertFilter;
  readonly onChange: (filter: AlertFilter) => void;
}

/** Counts that are filters, of what the other conditions leave; rules and tags that have an open alert. */
export function AlertFilters({ alerts, nodes, filter, onChange }: AlertFiltersProps) {
  const { state: _state, ...others } = filter;
  const within = filterAlerts(alerts, others, nodes);
  const counts = countAlerts(within);
  const rules = useMemo(() => [...new Map(alerts.map(({ rule, name }) => [rule, name]))], [alerts]);
  const tags = useMemo(() => {
    const ids = new Set(alerts.map(({ node }) => node));
    return [...new Set(nodes.filter(({ id }) => ids.has(id)).flatMap((node) => node.tags))].sort(compareNames);
  }, [alerts, nodes]);
  const set = (name: "rule" | "tag", value: string): void => {
    const { [name]: _before, ...rest } = filter;
    onChange(value === "" ? rest : { ...rest, [name]: value });
  };
  const { node, ...allNodes } = filter;
  return (
    <div className={styles.filters}>
      <search className={styles.conditions}>
        <Choice label="Rule" value={filter.rule} values={rules} onValue={(value) => set("rule", value)} />
        <Choice
          label="Tag"
          value={filter.tag}
          values={tags.map((tag) => [tag, tag] as const)}
          onValue={(value) => set("tag", value)}
        />
        {node !== undefined && (
          <div className={styles.ofNode}>
            <span>
              Of <code>{alerts.find((alert) => alert.node === node)?.nodeName ?? node}</code> alone.
            </span>
            <Button size="small" onClick={() => onChange(allNodes)}>
              All nodes
            </Button>
          </div>
        )}
      </search>
      <nav className={styles.states} aria-label="Filter by state">
        <Link href={alertsHref(others)} look="bare" aria-current={filter.state === undefined ? "true" : undefined}>
          All <b>{within.length.toLocaleString("en-GB")}</b>
        </Link>
        {alertStates
          .filter((state) => counts[state] > 0 || filter.state === state)
          .map((state) => (
            <Link
              key={state}
              href={alertsHref({ ...others, state })}
              look="bare"
              aria-current={filter.state === state ? "true" : undefined}
            >
              <Mark state={alertMarks[state].state} size={9} /> {alertMarks[state].word}{" "}
              <b>{counts[state].toLocaleString("en-GB")}</b>
            </Link>
          ))}
      </nav>
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly values: readonly (readonly [string, string])[];
  readonly onValue: (value: string) => void;
}

/** What the address names stands among the choices, also when nothing open has it. */
function Choice({ label, value, values, onValue }: ChoiceProps) {
  const all =
    value === undefined || values.some(([one]) => one === value) ? values : [[value, value] as const, ...values];
  return (
    <Field label={label}>
      <Select
        value={value ?? ""}
        options={[{ value: "", label: "Any" }, ...all.map(([one, words]) => ({ value: one, label: words }))]}
        onChange={(event) => onValue(event.target.value)}
      />
    </Field>
  );
}
