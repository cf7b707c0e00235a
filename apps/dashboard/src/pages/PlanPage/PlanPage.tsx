import { usePrefetchInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { isApiError } from "../../api/api-error.ts";
import { planQuery, planSectionPages } from "../../api/plans.ts";
import { ButtonLink } from "../../ui/Button.tsx";
import { Columns } from "../../ui/Columns.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { usePageTitle } from "../../widgets/PageTitle/page-title.ts";
import { Words } from "../../widgets/Words/Words.tsx";
import { readPickedNode } from "./HostSections.tsx";
import { PlanDetail } from "./PlanDetail.tsx";
import styles from "./PlanPage.module.css";

/** One plan: what would change on each host, and what one decides by. */
export function PlanPage() {
  const { id = "" } = useParams({ strict: false });
  const read = useQuery(planQuery(id));
  // Asked for together with the plan: the page is then drawn once.
  usePrefetchInfiniteQuery(planSectionPages(id, readPickedNode(useSearch({ strict: false }))));
  usePageTitle(read.data?.data.title ?? id);
  if (read.isPending) return <PlanSkeleton id={id} />;
  if (isApiError(read.error, "plan.unknown") || isApiError(read.error, "request.malformed")) {
    return <NoSuchPlan id={id} />;
  }
  if (read.data === undefined) {
    return (
      <>
        <PageHead title={id} />
        <div className={styles.below}>
          <ApiErrorView
            error={read.error}
            title="The plan could not be read"
            onRetry={() => void read.refetch()}
            retrying={read.isFetching}
          />
        </div>
      </>
    );
  }
  return <PlanDetail key={id} read={read.data} error={read.error} />;
}

function NoSuchPlan({ id }: { readonly id: string }) {
  return (
    <Words title="No such plan" actions={<ButtonLink href="/plans">All plans</ButtonLink>}>
      <p>
        There is no plan <code className={styles.whole}>{id}</code>. Plans that ended are cleared after three months;
        the audit log still says what became of them.
      </p>
    </Words>
  );
}

function PlanSkeleton({ id }: { readonly id: string }) {
  return (
    <>
      <PageHead title={id} meta="Reading the plan" />
      <Columns
        main={<Skeleton shape="list" count={8} label="Reading the plan" />}
        beside={<Skeleton shape="lines" count={10} />}
      />
    </>
  );
}
