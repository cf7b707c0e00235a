import type { ReactNode } from "react";
import type { Page } from "./page-table.ts";
import { untilLoaded } from "./api/until-loaded.ts";

type File = Page["file"];

/**
 * Every page of the table is a file of its own. Imported by literal names, so that the import rules can judge
 * them, and asked for until they come: a server that restarts is not the end of a page.
 */
export const pageFiles: { readonly [Name in File]: () => Promise<{ readonly [Export in Name]: () => ReactNode }> } = {
  SignInPage: () => untilLoaded(() => import("./pages/SignInPage/SignInPage.tsx")),
  OverviewPage: () => untilLoaded(() => import("./pages/OverviewPage/OverviewPage.tsx")),
  NodesPage: () => untilLoaded(() => import("./pages/NodesPage/NodesPage.tsx")),
  NodePage: () => untilLoaded(() => import("./pages/NodePage/NodePage.tsx")),
  PlansPage: () => untilLoaded(() => import("./pages/PlansPage/PlansPage.tsx")),
  PlanPage: () => untilLoaded(() => import("./pages/PlanPage/PlanPage.tsx")),
  PluginsPage: () => untilLoaded(() => import("./pages/PluginsPage/PluginsPage.tsx")),
  PluginPage: () => untilLoaded(() => import("./pages/PluginPage/PluginPage.tsx")),
  MarketplacePage: () => untilLoaded(() => import("./pages/MarketplacePage/MarketplacePage.tsx")),
  AppPage: () => untilLoaded(() => import("./pages/AppPage/AppPage.tsx")),
  AuditPage: () => untilLoaded(() => import("./pages/AuditPage/AuditPage.tsx")),
  SecurityPage: () => untilLoaded(() => import("./pages/SecurityPage/SecurityPage.tsx")),
  TokensPage: () => untilLoaded(() => import("./pages/TokensPage/TokensPage.tsx")),
  UsersPage: () => untilLoaded(() => import("./pages/UsersPage/UsersPage.tsx")),
  AboutPage: () => untilLoaded(() => import("./pages/AboutPage/AboutPage.tsx")),
  NotFoundPage: () => untilLoaded(() => import("./pages/NotFoundPage/NotFoundPage.tsx")),
};

/** The frame around the pages. */
export const frameFile = () => untilLoaded(() => import("./widgets/Shell/Shell.tsx"));
