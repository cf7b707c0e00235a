// First: what follows makes its schemas when it is loaded.
import "./no-eval.ts";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { artifactsQuery } from "../../api/artifacts.ts";
import { nodesQuery } from "../../api/nodes.ts";
import { contributionsQuery } from "../../api/plugins.ts";
import { ButtonLink } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { releaseFactsOf } from "../../widgets/ChangeFields/release-choices.ts";
import { newestRelease } from "../../widgets/Fleet/agent-builds.ts";
import { Composer } from "./Composer.tsx";
import styles from "./NewPlanPage.module.css";
import { readStart, sourcesOf } from "./plan-sources.ts";

/** Where a plan is composed: for which hosts, what, and why; beside it what it would change. */
export function NewPlanPage() {
  const start = readStart(useSearch({ strict: false }));
  const nodes = useQuery(nodesQuery);
  const contributions = useQuery(contributionsQuery);
  const artifacts = useQuery({ ...artifactsQuery, enabled: start.update !== undefined });
  // Of another plan they are read for a row of it, and the form stays while they are.
  const waitsForReleases = start.update !== undefined && artifacts.isPending;
  if (nodes.isPending || contributions.isPending || waitsForReleases) {
    return (
      <>
        <PageHead title="New plan" meta="Reading the hosts that there are" />
        <div className={styles.below}>
          <Skeleton shape="lines" count={10} label="Reading the hosts that there are" />
        </div>
      </>
    );
  }
  const failed = nodes.data === undefined ? nodes : contributions.data === undefined ? contributions : undefined;
  if (nodes.data === undefined || contributions.data === undefined) {
    return (
      <>
        <PageHead title="New plan" />
        <div className={styles.below}>
          <ApiErrorView
            error={failed?.error}
            title="The hosts could not be read"
            onRetry={() => void failed?.refetch()}
            retrying={failed?.isFetching ?? false}
          />
        </div>
      </>
    );
  }
  if (nodes.data.every(({ state }) => state === "revoked")) {
    return (
      <>
        <PageHead title="New plan" />
        <div className={styles.below}>
          <Empty title="No hosts yet" action={<ButtonLink href="/nodes?enrol=new">Enrol a host</ButtonLink>}>
            A plan is for hosts: enrol one first.
          </Empty>
        </div>
      </>
    );
  }
  const sources = sourcesOf(contributions.data.items, start.plugin);
  const newest = start.update && newestRelease(artifacts.data ?? [], start.update.architecture);
  const release = newest === undefined ? null : releaseFactsOf(newest);
  return (
    <Composer
      key={JSON.stringify(start.update ?? start.plugin ?? null)}
      nodes={nodes.data}
      sources={sources}
      start={start}
      release={release}
    />
  );
}
