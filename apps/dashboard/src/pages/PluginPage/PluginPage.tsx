import { useParams } from "@tanstack/react-router";
import { useMay } from "../../api/auth.ts";
import { ButtonLink } from "../../ui/Button.tsx";
import { Columns } from "../../ui/Columns.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { GateTrackSkeleton } from "../../widgets/GateTrack/GateTrack.tsx";
import { usePageTitle } from "../../widgets/PageTitle/page-title.ts";
import { usePlugins } from "../../widgets/PluginSummary/use-plugins.ts";
import { RejectionItem } from "../../widgets/Rejections/Rejections.tsx";
import { Words } from "../../widgets/Words/Words.tsx";
import { PluginDetail } from "./PluginDetail.tsx";
import styles from "./PluginPage.module.css";

/** One plugin: its gates, what it may do, how it runs, who moved it. */
export function PluginPage() {
  const { id = "" } = useParams({ strict: false });
  const plugins = usePlugins();
  const plugin = plugins.data?.items.find((one) => one.id === id);
  const mayInvoke = useMay("plugin:invoke");
  const mayAudit = useMay("audit:read");
  usePageTitle(plugin?.name ?? id);

  if (plugins.isPending) return <PluginSkeleton id={id} />;
  if (plugin !== undefined) return <PluginDetail key={id} plugin={plugin} mayInvoke={mayInvoke} mayAudit={mayAudit} />;
  if (plugins.isError) {
    return (
      <>
        <PageHead title={id} />
        <div className={styles.below}>
          <ApiErrorView
            error={plugins.error}
            title="The plugin could not be read"
            onRetry={() => void plugins.refetch()}
            retrying={plugins.isFetching}
          />
        </div>
      </>
    );
  }
  const rejection = plugins.data.rejections.find(({ name }) => name === id);
  return (
    <Words title={`No plugin ${id}`} actions={<ButtonLink href="/plugins">All plugins</ButtonLink>}>
      {rejection === undefined ? (
        <p>There is no record of this id. A record begins when the loader accepts a bundle of that name at a start.</p>
      ) : (
        <>
          <p>There is no record of this id, because its bundle was rejected at the last start.</p>
          <RejectionItem rejection={rejection} heading="h2" />
        </>
      )}
    </Words>
  );
}

function PluginSkeleton({ id }: { id: string }) {
  return (
    <>
      <PageHead title={id} meta="Reading the plugin" />
      <GateTrackSkeleton />
      <Columns main={<Skeleton shape="rows" count={5} columns={4} />} beside={<Skeleton shape="lines" count={6} />} />
    </>
  );
}
