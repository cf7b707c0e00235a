import { useSearch } from "@tanstack/react-router";
import { PageHead } from "../../ui/PageHead.tsx";
import { Section } from "../../ui/Section.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { summaryOf } from "../../widgets/PluginSummary/plugin-summary.ts";
import { usePlugins } from "../../widgets/PluginSummary/use-plugins.ts";
import { Rejections } from "../../widgets/Rejections/Rejections.tsx";
import { PluginFilters, readFilter } from "./PluginFilters.tsx";
import { NoPlugins } from "./NoPlugins.tsx";
import styles from "./PluginsPage.module.css";
import { PluginTable } from "./PluginTable.tsx";
import { SandboxLine } from "./SandboxLine.tsx";

/** Every record, what stands between it and running, and what was turned away. */
export function PluginsPage() {
  const plugins = usePlugins();
  const filter = readFilter(useSearch({ strict: false }));
  if (plugins.isPending) {
    return (
      <>
        <PageHead title="Plugins" meta="Reading the records" />
        <div className={styles.body}>
          <Skeleton shape="rows" count={6} columns={7} label="Reading plugins" />
        </div>
      </>
    );
  }
  if (plugins.data === undefined) {
    return (
      <>
        <PageHead title="Plugins" />
        <ApiErrorView
          error={plugins.error}
          title="The plugins could not be read"
          onRetry={() => void plugins.refetch()}
          retrying={plugins.isFetching}
        />
      </>
    );
  }
  const { items, rejections, sandbox } = plugins.data;
  const shown = items.filter((item) => filter === undefined || summaryOf(item).filter === filter);
  const showsRejections = rejections.length > 0 && (filter === undefined || filter === "rejected");
  return (
    <>
      <PageHead title="Plugins" meta={<SandboxLine sandbox={sandbox} />} />
      {plugins.isError && (
        <ApiErrorView
          error={plugins.error}
          title="This list is not up to date"
          size="inline"
          onRetry={() => void plugins.refetch()}
          retrying={plugins.isFetching}
        />
      )}
      {items.length + rejections.length === 0 ? (
        <NoPlugins />
      ) : (
        <div className={styles.body}>
          <PluginFilters items={items} rejected={rejections.length} chosen={filter} />
          {filter !== "rejected" && <PluginTable plugins={shown} filtered={filter !== undefined} />}
          {showsRejections && (
            <Section title="Rejected" count={rejections.length} aside="At the last start. Nothing of these was loaded.">
              <Rejections rejections={rejections} />
            </Section>
          )}
          {filter === "rejected" && rejections.length === 0 && (
            <p className={styles.none}>No bundle was rejected at the last start.</p>
          )}
        </div>
      )}
    </>
  );
}
