import type { Scope } from "@gatehouse/contract";

/**
 * One page is one row. The router, the first script, the menu, the palette, the keys, titles and breadcrumbs and the list of
 * pages that a real browser visits are made from it. Data alone: whoever reads it loads no page.
 */
interface PageRow {
  /** As the router reads it: `$id` is one part of an address, `$` the rest of one. */
  readonly path: string;
  /** The page in `pages/`: its folder, its file and its component. */
  readonly file: string;
  /** Of the window, the menu and the breadcrumb; `null` when the page says it itself. */
  readonly title: string | null;
  /** Who may open it. Who lacks the scope finds no way to it, and is told the scope's name at the address. */
  readonly access: "anybody" | "signed-in" | Scope;
  /** How one gets there: under which heading, with which icon, by which key after `g`. In the order of the table. */
  readonly menu: { readonly group: MenuGroup | null; readonly icon: string; readonly key: string | null } | null;
  /** What is asked for while the page's file is still on the way. */
  readonly reads: readonly ("nodes" | "overview" | "plugins" | "newest-entries")[];
}

export const menuGroups = ["Fleet", "Change", "Plugins", "Observe", "Settings"] as const;
type MenuGroup = (typeof menuGroups)[number];

const unknownPage = {
  path: "$",
  file: "NotFoundPage",
  title: null,
  access: "signed-in",
  menu: null,
  reads: [],
} as const satisfies PageRow;

export const pages = [
  { path: "/login", file: "SignInPage", title: "Sign in", access: "anybody", menu: null, reads: [] },
  {
    path: "/",
    file: "OverviewPage",
    title: "Overview",
    access: "signed-in",
    menu: { group: null, icon: "LayoutDashboard", key: "o" },
    reads: ["overview", "newest-entries"],
  },
  {
    path: "/nodes",
    file: "NodesPage",
    title: "Nodes",
    access: "node:read",
    menu: { group: "Fleet", icon: "Server", key: "n" },
    reads: ["nodes"],
  },
  {
    path: "/map",
    file: "MapPage",
    title: "Map",
    access: "node:read",
    menu: { group: "Fleet", icon: "Map", key: "w" },
    reads: ["nodes"],
  },
  { path: "/nodes/$id", file: "NodePage", title: null, access: "node:read", menu: null, reads: [] },
  {
    path: "/plans",
    file: "PlansPage",
    title: "Plans",
    access: "plan:read",
    menu: { group: "Change", icon: "GitPullRequestArrow", key: "c" },
    reads: [],
  },
  {
    path: "/approvals",
    file: "ApprovalsPage",
    title: "Approvals",
    access: "plan:read",
    menu: { group: "Change", icon: "Stamp", key: "i" },
    reads: [],
  },
  {
    path: "/artifacts",
    file: "ArtifactsPage",
    title: "Artifacts",
    access: "plan:read",
    menu: { group: "Change", icon: "Package", key: "f" },
    reads: [],
  },
  { path: "/plans/new", file: "NewPlanPage", title: "New plan", access: "plan:create", menu: null, reads: ["nodes"] },
  { path: "/plans/$id", file: "PlanPage", title: null, access: "plan:read", menu: null, reads: [] },
  {
    path: "/plugins",
    file: "PluginsPage",
    title: "Lifecycle",
    access: "plugin:admin",
    menu: { group: "Plugins", icon: "Puzzle", key: "p" },
    reads: ["plugins"],
  },
  { path: "/plugins/$id", file: "PluginPage", title: null, access: "plugin:admin", menu: null, reads: ["plugins"] },
  {
    path: "/marketplace",
    file: "MarketplacePage",
    title: "Marketplace",
    access: "signed-in",
    menu: { group: "Plugins", icon: "Store", key: "m" },
    reads: [],
  },
  // Pages that active plugins contribute; which one it is, the path says.
  { path: "/apps/$", file: "AppPage", title: null, access: "signed-in", menu: null, reads: [] },
  {
    path: "/logs",
    file: "LogsPage",
    title: "Logs",
    access: "log:read",
    menu: { group: "Observe", icon: "Logs", key: "l" },
    reads: ["nodes"],
  },
  {
    path: "/metrics",
    file: "MetricsPage",
    title: "Metrics",
    access: "node:read",
    menu: { group: "Observe", icon: "ChartLine", key: "e" },
    reads: ["nodes"],
  },
  {
    path: "/alerts",
    file: "AlertsPage",
    title: "Alerts",
    access: "node:read",
    menu: { group: "Observe", icon: "Bell", key: "r" },
    reads: ["nodes"],
  },
  {
    path: "/audit",
    file: "AuditPage",
    title: "Audit",
    access: "audit:read",
    menu: { group: "Observe", icon: "ScrollText", key: "a" },
    reads: [],
  },
  {
    path: "/settings/security",
    file: "SecurityPage",
    title: "Security",
    access: "signed-in",
    menu: { group: "Settings", icon: "Shield", key: "s" },
    reads: [],
  },
  {
    path: "/tokens",
    file: "TokensPage",
    title: "Tokens",
    access: "signed-in",
    menu: { group: "Settings", icon: "KeyRound", key: "t" },
    reads: [],
  },
  {
    path: "/users",
    file: "UsersPage",
    title: "Users",
    access: "user:admin",
    menu: { group: "Settings", icon: "Users", key: "u" },
    reads: [],
  },
  {
    path: "/settings/webhooks",
    file: "WebhooksPage",
    title: "Webhooks",
    access: "settings:admin",
    menu: { group: "Settings", icon: "Webhook", key: "h" },
    reads: [],
  },
  {
    path: "/settings/about",
    file: "AboutPage",
    title: "About",
    access: "signed-in",
    menu: { group: "Settings", icon: "Info", key: null },
    reads: [],
  },
  unknownPage,
] as const satisfies readonly PageRow[];

export type Page = (typeof pages)[number];
/** A page with a place in the menu has a title of its own and stands at one address. */
export type MenuPage = Extract<Page, { readonly menu: object }>;

export const menuPages: readonly MenuPage[] = pages.filter((page) => page.menu !== null);

export function menuPagesFor(scopes: readonly Scope[]): readonly MenuPage[] {
  return menuPages.filter(({ access }) => access === "signed-in" || scopes.includes(access));
}

/** The page that an address leads to. The router decides it again; this is known before the router is there. */
export function pageAt(address: string): Page {
  const path = address.length > 1 && address.endsWith("/") ? address.slice(0, -1) : address;
  return pages.find((page) => leadsTo(page.path, path)) ?? unknownPage;
}

/** `$id` stands for one part of an address, a last `$` for one or more. */
function leadsTo(path: string, address: string): boolean {
  const parts = path.split("/");
  const found = address.split("/");
  if (parts.at(-1) === "$") {
    parts.pop();
    if (found.length <= parts.length || found.splice(parts.length).join("/") === "") return false;
  }
  if (parts.length !== found.length) return false;
  return parts.every((part, at) => part === found[at] || (part.startsWith("$") && found[at] !== ""));
}
