/** Every page is a file of its own, by its path. The frame around the pages is one too. */
export const pageFiles = {
  frame: () => import("./widgets/Shell/Shell.tsx"),
  "/login": () => import("./pages/SignInPage/SignInPage.tsx"),
  "/": () => import("./pages/OverviewPage/OverviewPage.tsx"),
  "/plugins": () => import("./pages/PluginsPage/PluginsPage.tsx"),
  "/plugins/$id": () => import("./pages/PluginPage/PluginPage.tsx"),
  "/marketplace": () => import("./pages/MarketplacePage/MarketplacePage.tsx"),
  "/audit": () => import("./pages/AuditPage/AuditPage.tsx"),
  "/tokens": () => import("./pages/TokensPage/TokensPage.tsx"),
  "/users": () => import("./pages/UsersPage/UsersPage.tsx"),
  "/settings/security": () => import("./pages/SecurityPage/SecurityPage.tsx"),
  "/settings/about": () => import("./pages/AboutPage/AboutPage.tsx"),
  "/apps/$": () => import("./pages/AppPage/AppPage.tsx"),
  $: () => import("./pages/NotFoundPage/NotFoundPage.tsx"),
} as const;

type PagePath = Exclude<keyof typeof pageFiles, "frame">;

/** The page that an address leads to. The router decides it again; this is known before the router is there. */
export function pagePathOf(address: string): PagePath {
  const path = address.length > 1 && address.endsWith("/") ? address.slice(0, -1) : address;
  if (/^\/plugins\/[^/]+$/.test(path)) return "/plugins/$id";
  if (path.startsWith("/apps/")) return "/apps/$";
  return path !== "frame" && Object.hasOwn(pageFiles, path) ? (path as PagePath) : "$";
}
