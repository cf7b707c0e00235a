import type { AlertWatch, DrawnMetric } from "@gatehouse/contract";
import type { FormEvent } from "react";
import { Field } from "../../ui/Field.tsx";
import { Select } from "../../ui/Select.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { sayScope } from "../../widgets/Alerts/say-scope.ts";
import { chosenMetrics, metricTitles } from "../../widgets/Measured/metric-scale.ts";
import styles from "./AlertsPage.module.css";
import { parseRule, type TypedRule, unitOf, type WrongRule } from "./rule-form.ts";
import { sayRule } from "./say-rule.ts";
import { ScopeFields } from "./ScopeFields.tsx";

export interface RuleFormProps {
  readonly id: string;
  readonly typed: TypedRule;
  /** A rule keeps what it watches for. */
  readonly isNew: boolean;
  /** Ids of the single hosts that it already is for. */
  readonly nodes: readonly string[];
  readonly nodeNames: ReadonlyMap<string, string>;
  /** Undefined until somebody has tried. */
  readonly wrong: WrongRule | undefined;
  readonly onType: (typed: TypedRule) => void;
  readonly onSubmit: () => void;
}

const kinds: readonly { readonly value: AlertWatch["kind"]; readonly label: string }[] = [
  { value: "metric", label: "A measured value" },
  { value: "offline", label: "A host that is offline" },
  { value: "flapping", label: "A host that comes and goes" },
];

export function RuleForm({ id, typed, isNew, nodes, nodeNames, wrong, onType, onSubmit }: RuleFormProps) {
  const set = (change: Partial<TypedRule>): void => onType({ ...typed, ...change });
  const read = parseRule({ ...typed, name: typed.name.trim() || "-" }, nodes);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form id={id} className={styles.form} onSubmit={submit} noValidate>
      <Field label="Name" error={wrong?.name}>
        <TextInput
          value={typed.name}
          maxLength={64}
          autoComplete="off"
          onChange={(event) => set({ name: event.target.value })}
        />
      </Field>
      {isNew && (
        <Field label="Watches for">
          <Select
            value={typed.kind}
            options={kinds}
            onChange={(event) => set({ kind: event.target.value as TypedRule["kind"] })}
          />
        </Field>
      )}
      {typed.kind === "metric" && <MetricFields {...{ typed, isNew, wrong, set }} />}
      {typed.kind === "offline" && (
        <NumberInput
          label="Opens after so many minutes offline"
          value={typed.hold}
          wrong={wrong?.hold}
          onValue={(hold) => set({ hold })}
        />
      )}
      {typed.kind === "flapping" && (
        <div className={styles.pair}>
          <NumberInput
            label="Opens after so many returns"
            value={typed.times}
            wrong={wrong?.times}
            onValue={(times) => set({ times })}
          />
          <NumberInput
            label="Within minutes"
            value={typed.hold}
            wrong={wrong?.hold}
            onValue={(hold) => set({ hold })}
          />
        </div>
      )}
      <ScopeFields
        typed={typed}
        single={nodes.length === 0 ? undefined : sayScope({ nodes: [...nodes] }, nodeNames)}
        wrong={wrong?.tags}
        onType={set}
      />
      <p className={styles.said} aria-live="polite">
        {"wish" in read && `${sayRule(read.wish.watch)}; ${sayScope(read.wish.appliesTo, nodeNames)}.`}
      </p>
    </form>
  );
}

interface MetricFieldsProps {
  readonly typed: TypedRule;
  readonly isNew: boolean;
  readonly wrong: WrongRule | undefined;
  readonly set: (change: Partial<TypedRule>) => void;
}

function MetricFields({ typed, isNew, wrong, set }: MetricFieldsProps) {
  const { unit } = unitOf(typed.metric);
  const inUnit = unit === "" ? "" : `, ${unit}`;
  return (
    <>
      <div className={styles.pair}>
        {isNew && (
          <Field label="Value">
            <Select
              value={typed.metric}
              options={chosenMetrics.map((metric) => ({ value: metric, label: metricTitles[metric] }))}
              onChange={(event) => set({ metric: event.target.value as DrawnMetric })}
            />
          </Field>
        )}
        <Field label="Side">
          <Select
            value={typed.crosses}
            options={[
              { value: "above", label: "Over" },
              { value: "below", label: "Under" },
            ]}
            onChange={(event) => set({ crosses: event.target.value as TypedRule["crosses"] })}
          />
        </Field>
      </div>
      <div className={styles.pair}>
        <NumberInput
          label={`Opens at${inUnit}`}
          value={typed.threshold}
          wrong={wrong?.threshold}
          onValue={(threshold) => set({ threshold })}
        />
        <NumberInput label="For minutes" value={typed.hold} wrong={wrong?.hold} onValue={(hold) => set({ hold })} />
        <NumberInput
          label={`Ends at${inUnit}`}
          value={typed.recover}
          wrong={wrong?.recover}
          onValue={(recover) => set({ recover })}
        />
        <NumberInput
          label="For minutes, to end"
          value={typed.recoverFor}
          wrong={wrong?.recoverFor}
          onValue={(recoverFor) => set({ recoverFor })}
        />
      </div>
    </>
  );
}

interface NumberInputProps {
  readonly label: string;
  readonly value: string;
  readonly wrong: string | undefined;
  readonly onValue: (value: string) => void;
}

/** A number, typed as text: nothing scrolls it by accident. */
function NumberInput({ label, value, wrong, onValue }: NumberInputProps) {
  return (
    <Field label={label} error={wrong}>
      <TextInput
        inputMode="decimal"
        value={value}
        maxLength={13}
        autoComplete="off"
        onChange={(event) => onValue(event.target.value)}
      />
    </Field>
  );
}
