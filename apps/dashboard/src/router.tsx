import type { Scope } from "@gatehouse/contract";
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import type { ReactNode } from "react";
import { isApiError } from "./api/api-error.ts";
import { auditQuery, overviewEntries } from "./api/audit.ts";
import { whoAmIQuery } from "./api/auth.ts";
import { MissingScope } from "./api/missing-scope.ts";
import { nodesQuery } from "./api/nodes.ts";
import { overviewQuery } from "./api/overview.ts";
import { pluginsQuery } from "./api/plugins.ts";
import { queryClient } from "./api/query-client.ts";
import { frameFile, pageFiles } from "./page-files.ts";
import { type Page, pageAt, pages } from "./page-table.ts";
import { type LinkHost, LinkProvider } from "./ui/Link.tsx";
import { untilLoaded } from "./api/until-loaded.ts";
import { CrashView } from "./widgets/CrashView/CrashView.tsx";
import { LatePage } from "./widgets/CrashView/LatePage.tsx";
import { usePageTitle } from "./widgets/PageTitle/page-title.ts";

/** Every filter, sort and selection stands in the address; the pages read what they know of it. */
type Search = Record<string, unknown>;
const anySearch = (search: Search): Search => search;

/** A page by its row, under its title. It is loaded when a link to it is pointed at. */
function componentOf({ file, title }: Page) {
  const load: () => Promise<Readonly<Record<string, () => ReactNode>>> = pageFiles[file];
  const Loaded = lazyRouteComponent(load, file);
  function TitledPage() {
    usePageTitle(title ?? undefined);
    return <Loaded />;
  }
  TitledPage.preload = () => Loaded.preload?.();
  return TitledPage;
}

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
  component: componentOf(pageAt("/login")),
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
  component: lazyRouteComponent(frameFile, "Shell"),
});

interface Asked {
  readonly cause: string;
  readonly context: { readonly who: { readonly scopes: readonly Scope[] } };
}

const needs =
  ({ access }: Page) =>
  ({ context }: Pick<Asked, "context">): void => {
    if (access === "anybody" || access === "signed-in") return;
    if (!context.who.scopes.includes(access)) throw new MissingScope(access);
  };

/**
 * What a page reads first is asked for while its file is still on the way, and a quick answer is waited for: the page is
 * then drawn once, with it. Not when a link is only pointed at: a refusal may ask for the password.
 */
const readsOf =
  ({ reads }: Page) =>
  ({ cause, context }: Asked): Promise<unknown> => {
    if (cause === "preload") return Promise.resolve();
    const asked = reads
      .map((name) => firstReads[name])
      .filter(({ scope }) => scope === null || context.who.scopes.includes(scope))
      .map(({ ask }) => ask());
    return Promise.race([Promise.all(asked), new Promise((resolve) => setTimeout(resolve, quickMs))]);
  };
const quickMs = 150;
const firstReads = {
  nodes: { scope: "node:read", ask: () => queryClient.prefetchQuery(nodesQuery) },
  overview: { scope: null, ask: () => queryClient.prefetchQuery(overviewQuery) },
  plugins: { scope: "plugin:admin", ask: () => queryClient.prefetchQuery(pluginsQuery) },
  "newest-entries": { scope: "audit:read", ask: () => queryClient.prefetchQuery(auditQuery(overviewEntries)) },
} as const;

type FramedPage = Exclude<Page, { readonly access: "anybody" }>;

function routeOf<Row extends FramedPage>(page: Row) {
  const path: Row["path"] = page.path;
  return createRoute({
    getParentRoute: () => shellRoute,
    path,
    validateSearch: anySearch,
    beforeLoad: needs(page),
    ...(page.reads.length > 0 && { loader: readsOf(page) }),
    component: componentOf(page),
  });
}

/** One route type for each row, so that links and parameters are checked by their own path. */
type RouteOf<Row> = Row extends FramedPage ? ReturnType<typeof routeOf<Row>> : never;

const pageRoutes = pages
  .filter((page) => page.access !== "anybody")
  .map((page) => routeOf(page) as RouteOf<typeof page>);

const routeTree = rootRoute.addChildren([loginRoute, ...developmentRoutes, shellRoute.addChildren(pageRoutes)]);

const MissingScopePage = lazyRouteComponent(
  () => untilLoaded(() => import("./pages/MissingScopePage/MissingScopePage.tsx")),
  "MissingScopePage",
);

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  // Pages draw their own skeletons; a chunk that comes slowly must not blank the page before it at once.
  defaultPendingMs: 400,
  defaultPendingMinMs: 0,
  defaultPendingComponent: LatePage,
  defaultErrorComponent: ({ error, reset }) =>
    error instanceof MissingScope ? (
      <MissingScopePage scope={error.scope} />
    ) : (
      <CrashView
        error={error}
        retry={() => {
          // Without asking again the same error would stand there.
          void router.invalidate();
          reset();
        }}
      />
    ),
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
