import { Field } from "../../ui/Field.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { asTyped, type ChangeFieldsProps, namedHint } from "./change-fields.ts";
import styles from "./ChangeFields.module.css";
import type { WriteChange } from "./host-change.ts";

const attributes = [
  { field: "mode", label: "Mode", most: 4 },
  { field: "owner", label: "Owner", most: 32 },
  { field: "group", label: "Group", most: 32 },
] as const;

/** Which file is written, with which text, and to whom it then belongs. */
export function WriteFields({ change, wrong, named, onChange }: ChangeFieldsProps<WriteChange>) {
  return (
    <>
      <Field label="Path" hint={namedHint(named, "/etc/motd")} error={wrong.path}>
        <TextInput
          mono
          {...asTyped}
          value={change.path}
          maxLength={512}
          onChange={({ target }) => onChange({ ...change, path: target.value })}
        />
      </Field>
      <Field
        label="Text"
        hint="The whole file, as it is to be: visible characters, tabs and line ends."
        error={wrong.text}
      >
        <TextArea
          mono
          rows={8}
          spellCheck={false}
          value={change.text}
          maxLength={65_536}
          onChange={({ target }) => onChange({ ...change, text: target.value })}
        />
      </Field>
      <div className={styles.three}>
        {attributes.map(({ field, label, most }) => (
          <Field key={field} label={label} error={wrong[field]}>
            <TextInput
              mono
              {...asTyped}
              value={change[field]}
              maxLength={most}
              onChange={({ target }) => onChange({ ...change, [field]: target.value })}
            />
          </Field>
        ))}
      </div>
    </>
  );
}
