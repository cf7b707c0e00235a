import type { ReactNode } from "react";
import type { Page } from "./page-table.ts";
import { untilLoaded } from "./api/until-loaded.ts";

type File = Page["file"];

/**
 * Every page of the table is a file of its own. Imported by literal names, so that the import rules can judge
 * them, and asked for until they come: a server that restarts is not the end of a page.
 */
export const pageFiles: { readonly [Name in File]: () => Promise<{ readonly [Export in Name]: () => ReactNode }> } = {
  SignInPage: lateFile(() => import("./pages/SignInPage/SignInPage.tsx")),
  OverviewPage: lateFile(() => import("./pages/OverviewPage/OverviewPage.tsx")),
  NodesPage: lateFile(() => import("./pages/NodesPage/NodesPage.tsx")),
  MapPage: lateFile(() => import("./pages/MapPage/MapPage.tsx")),
  NodePage: lateFile(() => import("./pages/NodePage/NodePage.tsx")),
  PlansPage: lateFile(() => import("./pages/PlansPage/PlansPage.tsx")),
  ApprovalsPage: lateFile(() => import("./pages/ApprovalsPage/ApprovalsPage.tsx")),
  ArtifactsPage: lateFile(() => import("./pages/ArtifactsPage/ArtifactsPage.tsx")),
  NewPlanPage: lateFile(() => import("./pages/NewPlanPage/NewPlanPage.tsx")),
  PlanPage: lateFile(() => import("./pages/PlanPage/PlanPage.tsx")),
  PluginsPage: lateFile(() => import("./pages/PluginsPage/PluginsPage.tsx")),
  PluginPage: lateFile(() => import("./pages/PluginPage/PluginPage.tsx")),
  MarketplacePage: lateFile(() => import("./pages/MarketplacePage/MarketplacePage.tsx")),
  AppPage: lateFile(() => import("./pages/AppPage/AppPage.tsx")),
  LogsPage: lateFile(() => import("./pages/LogsPage/LogsPage.tsx")),
  MetricsPage: lateFile(() => import("./pages/MetricsPage/MetricsPage.tsx")),
  AlertsPage: lateFile(() => import("./pages/AlertsPage/AlertsPage.tsx")),
  AuditPage: lateFile(() => import("./pages/AuditPage/AuditPage.tsx")),
  SecurityPage: lateFile(() => import("./pages/SecurityPage/SecurityPage.tsx")),
  TokensPage: lateFile(() => import("./pages/TokensPage/TokensPage.tsx")),
  UsersPage: lateFile(() => import("./pages/UsersPage/UsersPage.tsx")),
  WebhooksPage: lateFile(() => import("./pages/WebhooksPage/WebhooksPage.tsx")),
  AboutPage: lateFile(() => import("./pages/AboutPage/AboutPage.tsx")),
  NotFoundPage: lateFile(() => import("./pages/NotFoundPage/NotFoundPage.tsx")),
};

/** The frame around the pages. */
export const frameFile = lateFile(() => import("./widgets/Shell/Shell.tsx"));

/** Asked for once, however many want it: only who asks first knows which styles come with it. */
function lateFile<Part>(load: () => Promise<Part>): () => Promise<Part> {
  let asked: Promise<Part> | undefined;
  return () => (asked ??= untilLoaded(load));
}
