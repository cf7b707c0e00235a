import type { Plan } from "@gatehouse/contract/routes";
import { useId } from "react";
import { Button } from "../../ui/Button.tsx";
import { RadioGroup } from "../../ui/Choices.tsx";
import { Field } from "../../ui/Field.tsx";
import { Select } from "../../ui/Select.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import styles from "./RunFields.module.css";
import { type ReadRun, type RunForm, sayRun } from "./run-form.ts";
import { useTagsOfPlan } from "./use-tags-of-plan.ts";

export interface RunFieldsProps {
  readonly plan: Plan;
  readonly form: RunForm;
  readonly read: ReadRun;
  readonly isTried: boolean;
  readonly onForm: (form: RunForm) => void;
}

const ways = [
  { value: "at-once", label: "All at once", hint: "Every host that is connected gets it now." },
  {
    value: "in-waves",
    label: "In waves",
    hint: "A wave begins when every host of those before has ended, and the plan was not halted.",
  },
];

const units = [
  { value: "hosts", label: "hosts" },
  { value: "percent", label: "% of the hosts" },
];

/** In which order the hosts get it, and when it halts; with a sentence that says what will happen. */
export function RunFields({ plan, form, read, isTried, onForm }: RunFieldsProps) {
  const unit = useId();
  const wrong = isTried && "wrong" in read ? read.wrong : {};
  const isInWaves = form.how === "in-waves";
  const field = (name: "canary" | "tags" | "size" | "haltAt") => ({
    value: form[name],
    autoComplete: "off",
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      onForm({ ...form, [name]: target.value }),
  });
  return (
    <div className={styles.fields}>
      <RadioGroup
        legend="Who gets it when"
        options={ways}
        value={form.how}
        onChange={(how) => onForm({ ...form, how: how === "in-waves" ? "in-waves" : "at-once" })}
      />
      {isInWaves && (
        <>
          <div className={styles.pair}>
            <Field label="Hosts first" optional error={wrong.canary} hint="Of those that are connected.">
              <TextInput {...field("canary")} inputMode="numeric" maxLength={3} />
            </Field>
            <Field label="Hosts in a wave" optional error={wrong.size} hint="At most; a larger wave becomes several.">
              <TextInput {...field("size")} inputMode="numeric" maxLength={5} />
            </Field>
          </div>
          <Field
            label="Then by tag, in this order"
            optional
            error={wrong.tags}
            hint="With commas. Each tag is a wave; hosts with none of them come last."
          >
            <TextInput {...field("tags")} mono spellCheck={false} autoCapitalize="off" maxLength={1_100} />
          </Field>
          <TagChoice plan={plan} tags={form.tags} onTags={(tags) => onForm({ ...form, tags })} />
        </>
      )}
      <Field
        label="Halt when"
        optional
        error={wrong.haltAt}
        hint={
          isInWaves
            ? "So many of one wave have not kept the change. Empty: at the first."
            : "So many have not kept the change. Empty: only a person halts it."
        }
      >
        <div className={styles.halt}>
          <TextInput {...field("haltAt")} inputMode="numeric" maxLength={5} />
          <Select
            id={unit}
            aria-label="Counted in"
            options={units}
            value={form.haltIn}
            onChange={({ target }) => onForm({ ...form, haltIn: target.value === "percent" ? "percent" : "hosts" })}
          />
        </div>
      </Field>
      {"run" in read && (
        <p className={styles.says} role="status">
          {Object.values(sayRun(read.run ?? {}, plan.nodes)).join(" ")}
        </p>
      )}
    </div>
  );
}

const mostTags = 12;

/** Tags that hosts of the plan have; a press adds one at the end. */
function TagChoice({
  plan,
  tags,
  onTags,
}: {
  readonly plan: Plan;
  readonly tags: string;
  readonly onTags: (tags: string) => void;
}) {
  const chosen = tags.split(/[\s,]+/).filter(Boolean);
  const left = useTagsOfPlan(plan).filter((tag) => !chosen.includes(tag));
  if (left.length === 0) return null;
  return (
    <div className={styles.tags}>
      {left.slice(0, mostTags).map((tag) => (
        <Button
          key={tag}
          size="small"
          aria-label={`Then tag ${tag}`}
          onClick={() => onTags([...chosen, tag].join(", "))}
        >
          {tag}
        </Button>
      ))}
    </div>
  );
}
