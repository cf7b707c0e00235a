import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { contributionsQuery } from "../../api/plugins.ts";
import { Contribution } from "../../contributions/Contribution.tsx";
import { hasComponent } from "../../contributions/components.ts";
import { tellOddity } from "../../perf/perf.ts";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { appPathOf } from "../../widgets/app-path.ts";
import { usePageTitle } from "../../widgets/PageTitle/page-title.ts";
import { NotFoundPage } from "../NotFoundPage/NotFoundPage.tsx";

/** The page an active plugin contributes under this path; when none does, there is no page (contract 3.2). */
export function AppPage() {
  const { _splat: path = "" } = useParams({ from: "/shell/apps/$" });
  const { data, error, isPending, isFetching, refetch } = useQuery(contributionsQuery);
  const found = data?.items.find((item) => item.kind === "nav" && appPathOf(item.path) === path);
  const component = found?.component;
  const isShown = component !== undefined && hasComponent(component);
  const title = found?.title ?? found?.plugin ?? "";
  usePageTitle(isShown ? title : undefined);
  const unknown = isShown ? undefined : component;
  useEffect(() => {
    if (unknown !== undefined) tellOddity(`no component has the key ${unknown}; its contribution is not shown`);
  }, [unknown]);

  if (isPending) return <Skeleton shape="title" label="Reading what plugins contribute" />;
  if (data === undefined) {
    return (
      <ApiErrorView
        title="The pages of plugins could not be read"
        error={error}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  }
  if (found === undefined || !isShown) return <NotFoundPage />;
  return <Contribution component={component} plugin={found.plugin} title={title} />;
}
