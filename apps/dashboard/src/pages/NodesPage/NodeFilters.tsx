import type { Node } from "@gatehouse/contract/routes";
import { Field } from "../../ui/Field.tsx";
import { Link } from "../../ui/Link.tsx";
import { Select } from "../../ui/Select.tsx";
import { Mark } from "../../ui/StateMark.tsx";
import { type NodeFilter, nodesHref } from "../../widgets/Fleet/nodes-href.ts";
import { countStandings, standings, standingWords } from "../../widgets/Fleet/standing.ts";
import { LaterInput } from "../../widgets/LaterInput/LaterInput.tsx";
import { type FilterChoices, filterNodes } from "../../widgets/Fleet/node-filter.ts";
import styles from "./NodesPage.module.css";

export interface NodeFiltersProps {
  readonly nodes: readonly Node[];
  readonly choices: FilterChoices;
  readonly filter: NodeFilter;
  readonly onChange: (filter: NodeFilter) => void;
}

/** Counts that are filters, and filters that are addresses. The counts are of what the other conditions leave. */
export function NodeFilters({ nodes, choices, filter, onChange }: NodeFiltersProps) {
  const { state: _state, ...others } = filter;
  const within = filterNodes(nodes, others);
  const counts = countStandings(within);
  const set = (name: keyof NodeFilter, value: string): void => {
    const { [name]: _before, ...rest } = filter;
    onChange(value === "" ? rest : { ...rest, [name]: value });
  };
  return (
    <div className={styles.filters}>
      <search className={styles.conditions}>
        <Field label="Search">
          <LaterInput
            type="search"
            placeholder="Name, address, tag, note"
            value={filter.text ?? ""}
            onValue={(text) => set("text", text)}
          />
        </Field>
        <Choice label="Tag" value={filter.tag} values={choices.tags} onValue={(tag) => set("tag", tag)} />
        <Choice
          label="Ceiling"
          value={filter.ceiling}
          values={choices.ceilings}
          onValue={(ceiling) => set("ceiling", ceiling)}
        />
        <Choice
          label="Agent"
          value={filter.version}
          values={choices.versions}
          onValue={(version) => set("version", version)}
        />
        <Choice
          label="Built for"
          value={filter.architecture}
          values={choices.architectures}
          onValue={(architecture) => set("architecture", architecture)}
        />
      </search>
      <nav className={styles.states} aria-label="Filter by state">
        <Link href={nodesHref(others)} look="bare" aria-current={filter.state === undefined ? "true" : undefined}>
          All <b>{within.length.toLocaleString("en-GB")}</b>
        </Link>
        {standings
          .filter((standing) => counts[standing] > 0 || filter.state === standing)
          .map((standing) => (
            <Link
              key={standing}
              href={nodesHref({ ...others, state: standing })}
              look="bare"
              aria-current={filter.state === standing ? "true" : undefined}
            >
              <Mark state={standingWords[standing].state} size={9} /> {standingWords[standing].word}{" "}
              <b>{counts[standing].toLocaleString("en-GB")}</b>
            </Link>
          ))}
      </nav>
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly values: readonly string[];
  readonly onValue: (value: string) => void;
}

/** What the address names stands among the choices, also when no node has it. */
function Choice({ label, value, values, onValue }: ChoiceProps) {
  const all = value === undefined || values.includes(value) ? values : [value, ...values];
  return (
    <Field label={label}>
      <Select
        value={value ?? ""}
        options={[{ value: "", label: "Any" }, ...all.map((one) => ({ value: one, label: one }))]}
        onChange={(event) => onValue(event.target.value)}
      />
    </Field>
  );
}
