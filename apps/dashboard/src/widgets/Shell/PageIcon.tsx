import {
  Bell,
  ChartLine,
  GitPullRequestArrow,
  Info,
  KeyRound,
  LayoutDashboard,
  Logs,
  type LucideIcon,
  Map,
  Package,
  Puzzle,
  ScrollText,
  Server,
  Shield,
  Stamp,
  Store,
  Users,
  Waypoints,
  Webhook,
} from "lucide-react";
import type { MenuPage } from "../../page-table.ts";

/** Of a row in the table of pages, or of a page that a plugin contributes. */
export type IconName = MenuPage["menu"]["icon"] | "Waypoints";

/** By name, because the table is read where no icon may be loaded. */
const icons: Readonly<Record<IconName, LucideIcon>> = {
  Bell,
  ChartLine,
  GitPullRequestArrow,
  Info,
  KeyRound,
  LayoutDashboard,
  Logs,
  Map,
  Package,
  Puzzle,
  ScrollText,
  Server,
  Shield,
  Stamp,
  Store,
  Users,
  Waypoints,
  Webhook,
};

/** Always beside its word. */
export function PageIcon({ name }: { readonly name: IconName }) {
  const Icon = icons[name];
  return <Icon size={15} strokeWidth={1.6} aria-hidden="true" />;
}
