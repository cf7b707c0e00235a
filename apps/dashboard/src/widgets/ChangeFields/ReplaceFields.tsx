import { useQuery } from "@tanstack/react-query";
import { artifactsQuery } from "../../api/artifacts.ts";
import { Field } from "../../ui/Field.tsx";
import { Link } from "../../ui/Link.tsx";
import { Select } from "../../ui/Select.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { ApiErrorView } from "../ApiErrorView/ApiErrorView.tsx";
import { asTyped, type ChangeFieldsProps, namedHint } from "./change-fields.ts";
import type { ReplaceChange } from "./host-change.ts";
import { isGone, programOptions, programsOf } from "./program-choices.ts";

/** Which program is replaced, and by which of those that are here whole. */
export function ReplaceFields({ change, wrong, named, onChange }: ChangeFieldsProps<ReplaceChange>) {
  const artifacts = useQuery(artifactsQuery);
  const programs = artifacts.data && programsOf(artifacts.data);
  const { program } = change;
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
      <Field
        label="By"
        error={isGone(program, programs) ? "It is not on this server any more." : wrong.program}
        hint={
          programs?.length === 0 ? (
            <>
              No program is here whole. <Link href="/artifacts">Artifacts</Link> says how one comes.
            </>
          ) : (
            "Of the artifacts that are here whole. A host takes it when its root has named the publisher and the key."
          )
        }
      >
        <Select
          options={programOptions(program, programs)}
          value={program?.sha256 ?? ""}
          onChange={({ target }) =>
            onChange({ ...change, program: programs?.find(({ sha256 }) => sha256 === target.value) ?? null })
          }
        />
      </Field>
      {artifacts.isError && (
        <ApiErrorView
          error={artifacts.error}
          title="Artifacts could not be read"
          size="inline"
          onRetry={() => void artifacts.refetch()}
          retrying={artifacts.isFetching}
        />
      )}
    </>
  );
}
