import {
  Info,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  Puzzle,
  ScrollText,
  Shield,
  Store,
  Users,
  Waypoints,
} from "lucide-react";
import type { PlacePath } from "../places.ts";

const icons: Readonly<Record<PlacePath | "plugin", LucideIcon>> = {
  "/": LayoutDashboard,
  "/plugins": Puzzle,
  "/marketplace": Store,
  "/audit": ScrollText,
  "/settings/security": Shield,
  "/tokens": KeyRound,
  "/users": Users,
  "/settings/about": Info,
  plugin: Waypoints,
};

/** Always beside its word. */
export function PlaceIcon({ name }: { readonly name: PlacePath | "plugin" }) {
  const Icon = icons[name];
  return <Icon size={15} strokeWidth={1.6} aria-hidden="true" />;
}
