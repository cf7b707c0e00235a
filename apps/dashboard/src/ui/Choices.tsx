import { useId, type ReactNode } from "react";
import { FieldError } from "./Field.tsx";
import field from "./Field.module.css";
import styles from "./Choices.module.css";

export type Choice = { value: string; label: ReactNode; hint?: ReactNode; disabled?: boolean };

type GroupProps = {
  legend: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  options: readonly Choice[];
  name?: string;
  disabled?: boolean;
};

export type CheckboxGroupProps = GroupProps & {
  value: readonly string[];
  onChange: (value: string[]) => void;
  columns?: boolean;
};

export function CheckboxGroup({ value, onChange, columns = false, ...group }: CheckboxGroupProps) {
  const flip = (one: string) =>
    onChange(group.options.map((o) => o.value).filter((v) => (v === one ? !value.includes(v) : value.includes(v))));
  return (
    <Group {...group} columns={columns}>
      {(option, id) => (
        <input
          type="checkbox"
          id={id}
          name={group.name}
          value={option.value}
          checked={value.includes(option.value)}
          disabled={option.disabled}
          aria-describedby={option.hint ? `${id}-hint` : undefined}
          onChange={() => flip(option.value)}
        />
      )}
    </Group>
  );
}

export type RadioGroupProps = GroupProps & { value: string | null; onChange: (value: string) => void };

export function RadioGroup({ value, onChange, ...group }: RadioGroupProps) {
  const fallback = useId();
  return (
    <Group {...group} columns={false}>
      {(option, id) => (
        <input
          type="radio"
          id={id}
          name={group.name ?? fallback}
          value={option.value}
          checked={value === option.value}
          disabled={option.disabled}
          aria-describedby={option.hint ? `${id}-hint` : undefined}
          onChange={() => onChange(option.value)}
        />
      )}
    </Group>
  );
}

export type CheckboxProps = {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  /** A switch takes effect at once; a checkbox waits for the form. */
  kind?: "checkbox" | "switch";
};

/** One question with yes or no. */
export function Checkbox({ label, hint, checked, onChange, disabled = false, kind = "checkbox" }: CheckboxProps) {
  const id = useId();
  return (
    <div className={styles.choice}>
      <input
        type="checkbox"
        role={kind === "switch" ? "switch" : undefined}
        id={id}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <ChoiceWords id={id} label={label} hint={hint} />
    </div>
  );
}

function Group({
  legend,
  hint,
  error,
  options,
  disabled,
  columns,
  children,
}: GroupProps & { columns: boolean; children: (option: Choice, id: string) => ReactNode }) {
  const id = useId();
  return (
    <fieldset
      className={field.field}
      disabled={disabled}
      aria-describedby={[error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ") || undefined}
    >
      <legend className={field.label}>{legend}</legend>
      {hint && (
        <p id={`${id}-hint`} className={field.hint}>
          {hint}
        </p>
      )}
      <div className={columns ? styles.columns : styles.stack}>
        {options.map((option) => (
          <div key={option.value} className={styles.choice}>
            {children(option, `${id}-${option.value}`)}
            <ChoiceWords id={`${id}-${option.value}`} label={option.label} hint={option.hint} />
          </div>
        ))}
      </div>
      <FieldError id={`${id}-error`} error={error} />
    </fieldset>
  );
}

function ChoiceWords({ id, label, hint }: { id: string; label: ReactNode; hint: ReactNode }) {
  return (
    <>
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </>
  );
}
