import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { useMay } from "../../api/auth.ts";
import { nodesQuery } from "../../api/nodes.ts";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { EnrolDialog } from "../../widgets/Enrol/EnrolDialog.tsx";
import { FleetMatrix } from "../../widgets/Fleet/FleetMatrix.tsx";
import type { NodeFilter } from "../../widgets/Fleet/nodes-href.ts";
import { useCauses } from "../../widgets/Fleet/use-causes.ts";
import { type Step, useSheetSteps } from "../../widgets/Sheets/use-sheet-steps.ts";
import {
  choicesOf,
  filterNodes,
  readNodeFilter,
  readSort,
  sortNodes,
  writeSort,
} from "../../widgets/Fleet/node-filter.ts";
import { AgentVersions } from "./AgentVersions.tsx";
import { FleetSentence } from "./FleetSentence.tsx";
import { NodeFilters } from "./NodeFilters.tsx";
import styles from "./NodesPage.module.css";
import { NodeTable } from "./NodeTable.tsx";
import { NoNodes } from "./NoNodes.tsx";

const inPlace: Step = { replace: true, state: {} };

/** Every host: how each stands, which need somebody, and the way to one more. */
export function NodesPage() {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const mayEnrol = useMay("node:admin");
  const nodes = useQuery(nodesQuery);
  // The address is compared by its text: an answer that came again must not sort ten thousand rows anew for the same wish.
  const written = JSON.stringify([readNodeFilter(search), readSort(search) ?? null]);
  const { filter, sort } = useMemo(() => {
    const [said, wish] = JSON.parse(written) as [NodeFilter, ReturnType<typeof readSort> | null];
    return { filter: said, sort: wish ?? undefined };
  }, [written]);
  const all = useCauses(nodes.data);
  const shown = useMemo(() => (all === undefined ? [] : filterNodes(all, filter)), [all, filter]);
  const rows = useMemo(() => sortNodes(shown, sort), [shown, sort]);
  const choices = useMemo(() => choicesOf(all ?? []), [all]);

  const isEnrolling = mayEnrol && search["enrol"] !== undefined;
  const sheet = useSheetSteps(isEnrolling);
  const show = (next: NodeFilter & { sort?: string | undefined; enrol?: string }, step: Step = inPlace): void => {
    void navigate({ to: "/nodes", search: { sort: sort && writeSort(sort), ...next }, ...step, resetScroll: false });
  };
  const enrol = mayEnrol && (
    <Button look="primary" onClick={() => sheet.open((step) => show({ ...filter, enrol: "new" }, step))}>
      Enrol a host…
    </Button>
  );
  return (
    <div className={styles.page}>
      <PageHead
        title="Nodes"
        meta={all === undefined ? "Reading the nodes" : all.length > 0 && <FleetSentence nodes={all} />}
        actions={all !== undefined && all.length > 0 && enrol}
      />
      {nodes.isPending && <Skeleton shape="rows" count={12} columns={6} label="Reading nodes" />}
      {nodes.isError && (
        <ApiErrorView
          error={nodes.error}
          title={all === undefined ? "The nodes could not be read" : "This list is not up to date"}
          size={all === undefined ? "block" : "inline"}
          onRetry={() => void nodes.refetch()}
          retrying={nodes.isFetching}
        />
      )}
      {all?.length === 0 && <NoNodes action={enrol} />}
      {all !== undefined && all.length > 0 && (
        <>
          <NodeFilters nodes={all} choices={choices} filter={filter} onChange={(next) => show(next)} />
          {shown.length > 0 && <FleetMatrix nodes={shown} filter={filter} />}
          <AgentVersions nodes={all} filter={filter} />
          {rows.length === 0 ? (
            <Empty title="No node matches" action={<Button onClick={() => show({})}>Clear the filter</Button>}>
              All conditions have to hold together. There {all.length === 1 ? "is 1 node" : `are ${all.length} nodes`}{" "}
              in all.
            </Empty>
          ) : (
            <NodeTable nodes={rows} sort={sort} onSort={(next) => show({ ...filter, sort: writeSort(next) })} />
          )}
        </>
      )}
      {isEnrolling && <EnrolDialog onClose={() => sheet.close((step) => show(filter, step))} />}
    </div>
  );
}
