import { Field } from "../../ui/Field.tsx";
import { Select } from "../../ui/Select.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import type { TypedScope } from "./scope-form.ts";

export interface ScopeFieldsProps {
  readonly typed: TypedScope;
  /** What the single hosts are called that can be chosen; undefined where there are none. */
  readonly single: string | undefined;
  readonly wrong: string | undefined;
  readonly onType: (typed: TypedScope) => void;
}

/** All hosts, those of some tags, or the very ones it is already about. */
export function ScopeFields({ typed: { scope, tags }, single, wrong, onType }: ScopeFieldsProps) {
  return (
    <>
      <Field label="Hosts">
        <Select
          value={scope}
          options={[
            ...(single === undefined ? [] : [{ value: "nodes", label: single }]),
            { value: "all", label: "All hosts" },
            { value: "tags", label: "Hosts with a tag" },
          ]}
          onChange={(event) => onType({ scope: event.target.value as TypedScope["scope"], tags })}
        />
      </Field>
      {scope === "tags" && (
        <Field label="Tags" hint="Between commas: edge, public. One of them is enough." error={wrong}>
          <TextInput
            value={tags}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => onType({ scope, tags: event.target.value })}
          />
        </Field>
      )}
    </>
  );
}
