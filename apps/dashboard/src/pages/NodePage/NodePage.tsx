import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { isApiError } from "../../api/api-error.ts";
import { nodeQuery } from "../../api/nodes.ts";
import { ButtonLink } from "../../ui/Button.tsx";
import { Columns } from "../../ui/Columns.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { usePageTitle } from "../../widgets/PageTitle/page-title.ts";
import { Words } from "../../widgets/Words/Words.tsx";
import { NodeDetail } from "./NodeDetail.tsx";
import styles from "./NodePage.module.css";

/** One host: how it stands, what it lets be done, what it says of itself, and everything that touched it. */
export function NodePage() {
  const { id = "" } = useParams({ strict: false });
  const read = useQuery(nodeQuery(id));
  usePageTitle(read.data?.data.name ?? id);
  if (read.isPending) return <NodeSkeleton id={id} />;
  // A node that was removed elsewhere is gone, also when it was here a moment ago.
  if (isApiError(read.error, "node.unknown") || isApiError(read.error, "request.malformed"))
    return <NoSuchNode id={id} />;
  if (read.data === undefined) {
    return (
      <>
        <PageHead title={id} />
        <div className={styles.below}>
          <ApiErrorView
            error={read.error}
            title="The node could not be read"
            onRetry={() => void read.refetch()}
            retrying={read.isFetching}
          />
        </div>
      </>
    );
  }
  return <NodeDetail key={id} read={read.data} error={read.error} />;
}

function NoSuchNode({ id }: { readonly id: string }) {
  return (
    <Words title="No such node" actions={<ButtonLink href="/nodes">All nodes</ButtonLink>}>
      <p>
        There is no node <code className={styles.whole}>{id}</code>. It may have been removed; the audit log then says
        by whom. A host that is enrolled again with the same identity has the same id.
      </p>
    </Words>
  );
}

function NodeSkeleton({ id }: { readonly id: string }) {
  return (
    <>
      <PageHead title={id} meta="Reading the node" />
      <Columns
        isMixed
        main={<Skeleton shape="list" count={6} label="Reading the node" />}
        beside={<Skeleton shape="lines" count={8} />}
      />
    </>
  );
}
