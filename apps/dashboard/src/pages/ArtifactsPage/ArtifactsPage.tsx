import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { type Artifact, artifactsQuery } from "../../api/artifacts.ts";
import { useMay } from "../../api/auth.ts";
import { PageHead } from "../../ui/PageHead.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { usePlanPeople } from "../../widgets/Plans/use-plan-people.ts";
import { type Step, useSheetSteps } from "../../widgets/Sheets/use-sheet-steps.ts";
import { sayAll } from "./artifact-words.ts";
import { ArtifactSheet } from "./ArtifactSheet.tsx";
import styles from "./ArtifactsPage.module.css";
import { ArtifactTable } from "./ArtifactTable.tsx";
import { BringAnother, NoArtifacts } from "./NoArtifacts.tsx";
import { RemoveArtifactDialog } from "./RemoveArtifactDialog.tsx";

/** The bytes that plans may put on hosts: what each is, who signed it, and whether it is here whole. */
export function ArtifactsPage() {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const artifacts = useQuery(artifactsQuery);
  const nameOf = usePlanPeople();
  const mayRemove = useMay("plan:create");
  const [removing, setRemoving] = useState<Artifact>();
  const opened = typeof search["artifact"] === "string" ? search["artifact"] : undefined;
  const sheet = useSheetSteps(opened !== undefined);
  const show = (artifact: string | undefined, step: Step): void =>
    void navigate({ to: "/artifacts", search: { artifact }, ...step, resetScroll: false });
  const all = artifacts.data;
  const onRemove = mayRemove ? setRemoving : undefined;
  return (
    <div className={styles.page}>
      <PageHead
        title="Artifacts"
        meta="Programs and releases that plans put on hosts, each signed by whoever made it."
      />
      {artifacts.isPending && <Skeleton shape="rows" count={5} columns={7} label="Reading artifacts" />}
      {artifacts.isError && (
        <ApiErrorView
          error={artifacts.error}
          title={all === undefined ? "Artifacts could not be read" : "This is not up to date"}
          size={all === undefined ? "block" : "inline"}
          onRetry={() => void artifacts.refetch()}
          retrying={artifacts.isFetching}
        />
      )}
      {all?.length === 0 && <NoArtifacts />}
      {all !== undefined && all.length > 0 && (
        <>
          <p className={styles.sum}>{sayAll(all)}</p>
          <ArtifactTable
            artifacts={all}
            nameOf={nameOf}
            opened={opened}
            onOpen={({ id }) => sheet.open((step) => show(id, step))}
            onRemove={onRemove}
          />
          <BringAnother />
        </>
      )}
      <ArtifactSheet
        artifact={all?.find(({ id }) => id === opened)}
        wanted={all === undefined ? undefined : opened}
        nameOf={nameOf}
        onClose={() => sheet.close((step) => show(undefined, step))}
        onRemove={onRemove}
      />
      {removing !== undefined && <RemoveArtifactDialog artifact={removing} onClose={() => setRemoving(undefined)} />}
    </div>
  );
}
