import type { ReactNode } from "react";
import type { Page } from "./page-table.ts";

type File = Page["file"];

/** Every page of the table is a file of its own. Imported by literal names, so that the import rules can judge them. */
export const pageFiles: { readonly [Name in File]: () => Promise<{ readonly [Export in Name]: () => ReactNode }> } = {
  SignInPage: () => import("./pages/SignInPage/SignInPage.tsx"),
  OverviewPage: () => import("./pages/OverviewPage/OverviewPage.tsx"),
  PluginsPage: () => import("./pages/PluginsPage/PluginsPage.tsx"),
  PluginPage: () => import("./pages/PluginPage/PluginPage.tsx"),
  MarketplacePage: () => import("./pages/MarketplacePage/MarketplacePage.tsx"),
  AppPage: () => import("./pages/AppPage/AppPage.tsx"),
  AuditPage: () => import("./pages/AuditPage/AuditPage.tsx"),
  SecurityPage: () => import("./pages/SecurityPage/SecurityPage.tsx"),
  TokensPage: () => import("./pages/TokensPage/TokensPage.tsx"),
  UsersPage: () => import("./pages/UsersPage/UsersPage.tsx"),
  AboutPage: () => import("./pages/AboutPage/AboutPage.tsx"),
  NotFoundPage: () => import("./pages/NotFoundPage/NotFoundPage.tsx"),
};

/** The frame around the pages. */
export const frameFile = () => import("./widgets/Shell/Shell.tsx");
