import { Field } from "../../ui/Field.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { ArtifactField } from "./ArtifactField.tsx";
import { asTyped, type ChangeFieldsProps, namedHint } from "./change-fields.ts";
import type { ReplaceChange } from "./host-change.ts";
import { programChoice } from "./program-choices.ts";

/** Which program is replaced, and by which of those that are here whole. */
export function ReplaceFields({ change, wrong, named, onChange }: ChangeFieldsProps<ReplaceChange>) {
  return (
    <>
      <Field label="Path" hint={namedHint(named, "/usr/local/bin/caddy")} error={wrong.path}>
        <TextInput
          mono
          {...asTyped}
          value={change.path}
          maxLength={512}
          onChange={({ target }) => onChange({ ...change, path: target.value })}
        />
      </Field>
      <ArtifactField
        label="By"
        hint="Of the artifacts that are here whole. A host takes it when its root has named the publisher and the key."
        choice={programChoice}
        chosen={change.program}
        wrong={wrong.program}
        onChoose={(program) => onChange({ ...change, program })}
      />
    </>
  );
}
