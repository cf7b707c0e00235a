import type { Scope } from "@gatehouse/contract";
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { isApiError } from "./api/api-error.ts";
import { whoAmIQuery } from "./api/auth.ts";
import { MissingScope } from "./api/missing-scope.ts";
import { queryClient } from "./api/query-client.ts";
import { type LinkHost, LinkProvider } from "./ui/Link.tsx";
import { CrashView } from "./widgets/CrashView/CrashView.tsx";

/** Every filter, sort and selection stands in the address; the pages read what they know of it. */
type Search = Record<string, unknown>;
const anySearch = (search: Search): Search => search;

const rootRoute = createRootRoute({ component: Root });

/** The parts in `ui/` know no router; this is how their links are followed. */
function Root() {
  return (
    <LinkProvider value={links}>
      <Outlet />
    </LinkProvider>
  );
}

const links: LinkHost = {
  navigate: (href) => void router.navigate({ href }),
  preload: (href) => void router.preloadRoute({ to: href }),
};

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/login",
  validateSearch: (search: Search): { to?: string } => {
    const { to } = search;
    // Only a path of this page: an address elsewhere would make the sign-in a springboard.
    return typeof to === "string" && /^\/(?![/\\])/.test(to) ? { to } : {};
  },
  component: lazyRouteComponent(() => import("./pages/SignInPage/SignInPage.tsx"), "SignInPage"),
});

/** Every part in every state, for whoever works on them. A build for production holds neither the route nor the page. */
const developmentRoutes = import.meta.env.DEV
  ? [
      createRoute({
        getParentRoute: () => rootRoute,
        path: "/gallery",
        component: lazyRouteComponent(() => import("./pages/GalleryPage/GalleryPage.tsx"), "GalleryPage"),
      }),
    ]
  : [];

/** Around every page of somebody who is signed in. */
const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  beforeLoad: async ({ location }) => {
    try {
      return { who: await queryClient.ensureQueryData(whoAmIQuery) };
    } catch (error) {
      if (!isApiError(error) || error.status !== 401) throw error;
      throw redirect({ to: "/login", search: location.href === "/" ? {} : { to: location.href } });
    }
  },
  component: lazyRouteComponent(() => import("./widgets/Shell/Shell.tsx"), "Shell"),
});

const needs =
  (scope: Scope) =>
  ({ context }: { context: { who: { scopes: readonly Scope[] } } }): void => {
    if (!context.who.scopes.includes(scope)) throw new MissingScope(scope);
  };

const overviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/",
  validateSearch: anySearch,
  component: lazyRouteComponent(() => import("./pages/OverviewPage/OverviewPage.tsx"), "OverviewPage"),
});
const pluginsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/plugins",
  validateSearch: anySearch,
  beforeLoad: needs("plugin:admin"),
  component: lazyRouteComponent(() => import("./pages/PluginsPage/PluginsPage.tsx"), "PluginsPage"),
});
const pluginRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/plugins/$id",
  validateSearch: anySearch,
  beforeLoad: needs("plugin:admin"),
  component: lazyRouteComponent(() => import("./pages/PluginPage/PluginPage.tsx"), "PluginPage"),
});
const marketplaceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/marketplace",
  validateSearch: anySearch,
  component: lazyRouteComponent(() => import("./pages/MarketplacePage/MarketplacePage.tsx"), "MarketplacePage"),
});
const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/audit",
  validateSearch: anySearch,
  beforeLoad: needs("audit:read"),
  component: lazyRouteComponent(() => import("./pages/AuditPage/AuditPage.tsx"), "AuditPage"),
});
const tokensRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/tokens",
  validateSearch: anySearch,
  component: lazyRouteComponent(() => import("./pages/TokensPage/TokensPage.tsx"), "TokensPage"),
});
const usersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/users",
  validateSearch: anySearch,
  beforeLoad: needs("user:admin"),
  component: lazyRouteComponent(() => import("./pages/UsersPage/UsersPage.tsx"), "UsersPage"),
});
const securityRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/settings/security",
  validateSearch: anySearch,
  component: lazyRouteComponent(() => import("./pages/SecurityPage/SecurityPage.tsx"), "SecurityPage"),
});
const aboutRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/settings/about",
  validateSearch: anySearch,
  component: lazyRouteComponent(() => import("./pages/AboutPage/AboutPage.tsx"), "AboutPage"),
});
/** Pages that active plugins contribute; which one it is, the path says. */
const appRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/apps/$",
  validateSearch: anySearch,
  component: lazyRouteComponent(() => import("./pages/AppPage/AppPage.tsx"), "AppPage"),
});
const unknownRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "$",
  component: lazyRouteComponent(() => import("./pages/NotFoundPage/NotFoundPage.tsx"), "NotFoundPage"),
});

const routeTree = rootRoute.addChildren([
  loginRoute,
  ...developmentRoutes,
  shellRoute.addChildren([
    overviewRoute,
    pluginsRoute,
    pluginRoute,
    marketplaceRoute,
    auditRoute,
    tokensRoute,
    usersRoute,
    securityRoute,
    aboutRoute,
    appRoute,
    unknownRoute,
  ]),
]);

const MissingScopePage = lazyRouteComponent(
  () => import("./pages/MissingScopePage/MissingScopePage.tsx"),
  "MissingScopePage",
);

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  // Pages draw their own skeletons; a chunk that comes slowly must not blank the page before it.
  defaultPendingMs: 400,
  defaultErrorComponent: ({ error, reset }) =>
    error instanceof MissingScope ? (
      <MissingScopePage scope={error.scope} />
    ) : (
      <CrashView error={error} retry={reset} />
    ),
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
