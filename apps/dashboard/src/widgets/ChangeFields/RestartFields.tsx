import { Field } from "../../ui/Field.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { asTyped, type ChangeFieldsProps, namedHint } from "./change-fields.ts";
import type { RestartChange } from "./host-change.ts";

/** Which service is restarted. */
export function RestartFields({ change, wrong, named, onChange }: ChangeFieldsProps<RestartChange>) {
  return (
    <Field label="Service" hint={namedHint(named, "nginx.service")} error={wrong.unit}>
      <TextInput
        mono
        {...asTyped}
        value={change.unit}
        maxLength={128}
        onChange={({ target }) => onChange({ ...change, unit: target.value })}
      />
    </Field>
  );
}
