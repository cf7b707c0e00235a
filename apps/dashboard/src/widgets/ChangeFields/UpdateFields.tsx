import { useQuery } from "@tanstack/react-query";
import { artifactsQuery } from "../../api/artifacts.ts";
import { Field } from "../../ui/Field.tsx";
import { Link } from "../../ui/Link.tsx";
import { Select } from "../../ui/Select.tsx";
import { ApiErrorView } from "../ApiErrorView/ApiErrorView.tsx";
import type { ChangeFieldsProps } from "./change-fields.ts";
import type { UpdateChange } from "./host-change.ts";
import { isGone } from "./program-choices.ts";
import { releaseOptions, releasesOf } from "./release-choices.ts";

/** Which release of those that are here whole the agent of the hosts becomes. */
export function UpdateFields({ change, wrong, onChange }: ChangeFieldsProps<UpdateChange>) {
  const artifacts = useQuery(artifactsQuery);
  const releases = artifacts.data && releasesOf(artifacts.data);
  const { release } = change;
  return (
    <>
      <Field
        label="To"
        error={isGone(release, releases) ? "It is not on this server any more." : wrong.release}
        hint={
          releases?.length === 0 ? (
            <>
              No release is here whole. <Link href="/artifacts">Artifacts</Link> says how one comes.
            </>
          ) : (
            "A host takes it when it is later than its agent, and signed by the key that this agent was built with. It restarts by itself."
          )
        }
      >
        <Select
          options={releaseOptions(release, releases)}
          value={release?.sha256 ?? ""}
          onChange={({ target }) =>
            onChange({ ...change, release: releases?.find(({ sha256 }) => sha256 === target.value) ?? null })
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
