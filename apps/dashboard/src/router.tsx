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
import { auditQuery, overviewEntries } from "./api/audit.ts";
import { whoAmIQuery } from "./api/auth.ts";
import { MissingScope } from "./api/missing-scope.ts";
import { pluginsQuery } from "./api/plugins.ts";
import { queryClient } from "./api/query-client.ts";
import { pageFiles } from "./page-files.ts";
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
  component: lazyRouteComponent(pageFiles["/login"], "SignInPage"),
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
  component: lazyRouteComponent(pageFiles.frame, "Shell"),
});

const needs =
  (scope: Scope) =>
  ({ context }: { context: { who: { scopes: readonly Scope[] } } }): void => {
    if (!context.who.scopes.includes(scope)) throw new MissingScope(scope);
  };

/**
 * What a page reads first is asked for while its file is still on the way, and a quick answer is waited for: the page is
 * then drawn once, with it. Not when a link is only pointed at: a refusal may ask for the password.
 */
const reads =
  (...first: readonly { readonly scope: Scope; readonly ask: () => Promise<void> }[]) =>
  ({ cause, context }: { cause: string; context: { who: { scopes: readonly Scope[] } } }): Promise<unknown> => {
    if (cause === "preload") return Promise.resolve();
    const asked = first.filter(({ scope }) => context.who.scopes.includes(scope)).map(({ ask }) => ask());
    return Promise.race([Promise.all(asked), new Promise((resolve) => setTimeout(resolve, quickMs))]);
  };
const quickMs = 150;
const thePlugins = { scope: "plugin:admin", ask: () => queryClient.prefetchQuery(pluginsQuery) } as const;
const newestEntries = {
  scope: "audit:read",
  ask: () => queryClient.prefetchQuery(auditQuery(overviewEntries)),
} as const;

const overviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/",
  validateSearch: anySearch,
  loader: reads(thePlugins, newestEntries),
  component: lazyRouteComponent(pageFiles["/"], "OverviewPage"),
});
const pluginsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/plugins",
  validateSearch: anySearch,
  beforeLoad: needs("plugin:admin"),
  loader: reads(thePlugins),
  component: lazyRouteComponent(pageFiles["/plugins"], "PluginsPage"),
});
const pluginRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/plugins/$id",
  validateSearch: anySearch,
  beforeLoad: needs("plugin:admin"),
  loader: reads(thePlugins),
  component: lazyRouteComponent(pageFiles["/plugins/$id"], "PluginPage"),
});
const marketplaceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/marketplace",
  validateSearch: anySearch,
  component: lazyRouteComponent(pageFiles["/marketplace"], "MarketplacePage"),
});
const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/audit",
  validateSearch: anySearch,
  beforeLoad: needs("audit:read"),
  component: lazyRouteComponent(pageFiles["/audit"], "AuditPage"),
});
const tokensRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/tokens",
  validateSearch: anySearch,
  component: lazyRouteComponent(pageFiles["/tokens"], "TokensPage"),
});
const usersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/users",
  validateSearch: anySearch,
  beforeLoad: needs("user:admin"),
  component: lazyRouteComponent(pageFiles["/users"], "UsersPage"),
});
const securityRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/settings/security",
  validateSearch: anySearch,
  component: lazyRouteComponent(pageFiles["/settings/security"], "SecurityPage"),
});
const aboutRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/settings/about",
  validateSearch: anySearch,
  component: lazyRouteComponent(pageFiles["/settings/about"], "AboutPage"),
});
/** Pages that active plugins contribute; which one it is, the path says. */
const appRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/apps/$",
  validateSearch: anySearch,
  component: lazyRouteComponent(pageFiles["/apps/$"], "AppPage"),
});
const unknownRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "$",
  component: lazyRouteComponent(pageFiles.$, "NotFoundPage"),
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
