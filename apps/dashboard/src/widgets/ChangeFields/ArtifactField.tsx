import { useQuery } from "@tanstack/react-query";
import { artifactsQuery } from "../../api/artifacts.ts";
import { Field } from "../../ui/Field.tsx";
import { Link } from "../../ui/Link.tsx";
import { Select } from "../../ui/Select.tsx";
import { ApiErrorView } from "../ApiErrorView/ApiErrorView.tsx";
import { type ArtifactChoice, choiceOptions, isGone } from "./artifact-choice.ts";

export interface ArtifactFieldProps<Facts extends { readonly sha256: string }> {
  readonly label: string;
  readonly hint: string;
  readonly choice: ArtifactChoice<Facts>;
  readonly chosen: Facts | null;
  readonly wrong: string | undefined;
  readonly onChoose: (facts: Facts | null) => void;
}

/** One of the artifacts that are here whole. */
export function ArtifactField<Facts extends { readonly sha256: string }>(props: ArtifactFieldProps<Facts>) {
  const { label, hint, choice, chosen, wrong, onChoose } = props;
  const artifacts = useQuery(artifactsQuery);
  const there = artifacts.data && choice.among(artifacts.data);
  return (
    <>
      <Field
        label={label}
        error={isGone(chosen, there) ? "It is not on this server any more." : wrong}
        hint={
          there?.length === 0 ? (
            <>
              No {choice.noun} is here whole. <Link href="/artifacts">Artifacts</Link> says how one comes.
            </>
          ) : (
            hint
          )
        }
      >
        <Select
          options={choiceOptions(choice, chosen, there)}
          value={chosen?.sha256 ?? ""}
          onChange={({ target }) => onChoose(there?.find(({ sha256 }) => sha256 === target.value) ?? null)}
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
