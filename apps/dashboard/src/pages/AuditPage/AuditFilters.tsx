import { useId } from "react";
import { Field } from "../../ui/Field.tsx";
import { Select } from "../../ui/Select.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import type { ActorNames } from "../../widgets/AuditActor/use-actor-names.ts";
import { actionNouns, actionWords, knownActions } from "../../widgets/audit-words.ts";
import { type AuditFilter, type FilterName, isoOf, localOf } from "./audit-filter.ts";
import styles from "./AuditPage.module.css";
import { LaterInput } from "../../widgets/LaterInput/LaterInput.tsx";

export interface AuditFiltersProps {
  readonly filter: AuditFilter;
  readonly onChange: (filter: AuditFilter) => void;
  readonly names: ActorNames;
}

/** Each condition takes effect by itself and stands in the address. */
export function AuditFilters({ filter, onChange, names }: AuditFiltersProps) {
  const known = useId();
  const set = (name: FilterName, value: string | undefined): void => {
    const { [name]: _before, ...rest } = filter;
    onChange(value === undefined || value === "" ? rest : { ...rest, [name]: value });
  };
  const idOf = new Map([...names].map(([id, name]) => [name, id]));
  return (
    <search className={styles.filters}>
      <div className={styles.text}>
        <Field label="Search">
          <LaterInput
            type="search"
            placeholder="Words of an entry: a name, a plugin, a reason, an address"
            value={filter.text ?? ""}
            onValue={(text) => set("text", text)}
          />
        </Field>
      </div>
      <div className={styles.conditions}>
        <Field label="Who">
          <LaterInput
            list={known}
            placeholder="Anybody"
            value={names.get(filter.actor ?? "") ?? filter.actor ?? ""}
            onValue={(text) => set("actor", idOf.get(text) ?? text)}
          />
        </Field>
        <datalist id={known}>
          {[...new Set([...names.values(), "system", "cli", "anonymous"])].map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Field label="What">
          <Select
            value={filter.action ?? ""}
            options={actionOptions(filter.action)}
            onChange={(event) => set("action", event.target.value)}
          />
        </Field>
        <Field label="On what">
          <LaterInput
            placeholder="plugin/netguard"
            value={filter.subject ?? ""}
            onValue={(text) => set("subject", text)}
          />
        </Field>
        <Field label="From">
          <TextInput
            type="datetime-local"
            className={styles.date}
            value={localOf(filter.from)}
            onChange={(event) => set("from", isoOf(event.target.value))}
          />
        </Field>
        <Field label="Before">
          <TextInput
            type="datetime-local"
            className={styles.date}
            value={localOf(filter.to)}
            onChange={(event) => set("to", isoOf(event.target.value))}
          />
        </Field>
      </div>
    </search>
  );
}

function actionOptions(chosen: string | undefined) {
  const options = [
    { value: "", label: "Anything" },
    ...Object.entries(actionNouns).map(([value, label]) => ({ value, label: `All: ${label}` })),
    ...knownActions.map((value) => ({ value, label: `${actionWords(value)} (${value})` })),
  ];
  const isKnown = chosen === undefined || options.some(({ value }) => value === chosen);
  return isKnown ? options : [...options, { value: chosen, label: `${actionWords(chosen)} (${chosen})` }];
}
