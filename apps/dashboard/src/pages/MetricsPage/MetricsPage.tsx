import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { nodesQuery } from "../../api/nodes.ts";
import { ButtonLink } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { type MetricsAddress, metricsHref, readMetricsAddress } from "../../widgets/Measured/metrics-address.ts";
import { CompareNodes } from "./CompareNodes.tsx";

/** What several nodes have measured, in one range of time and at one minute. */
export function MetricsPage() {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const nodes = useQuery(nodesQuery);
  const address = useMemo(() => readMetricsAddress(search, Date.now()), [search]);
  const show = (change: Partial<MetricsAddress>): void => {
    void navigate({ href: metricsHref({ ...address, ...change }), replace: true, resetScroll: false });
  };
  if (nodes.data !== undefined && nodes.data.length > 0) {
    return <CompareNodes nodes={nodes.data} address={address} onShow={show} />;
  }
  return (
    <>
      <PageHead title="Metrics" />
      {nodes.isPending && <Skeleton shape="rows" count={8} columns={3} label="Reading nodes" />}
      {nodes.isError && (
        <ApiErrorView
          error={nodes.error}
          title="The nodes could not be read"
          onRetry={() => void nodes.refetch()}
          retrying={nodes.isFetching}
        />
      )}
      {nodes.data?.length === 0 && (
        <Empty title="Nothing is measured yet" action={<ButtonLink href="/nodes">Nodes</ButtonLink>}>
          <p>A host measures itself once a minute as soon as its agent is enrolled. There is no node yet.</p>
        </Empty>
      )}
    </>
  );
}
