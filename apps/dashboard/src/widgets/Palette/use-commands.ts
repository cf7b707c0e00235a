import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { alertsQuery } from "../../api/alerts.ts";
import { useMay, useWhoAmI } from "../../api/auth.ts";
import { nodesQuery } from "../../api/nodes.ts";
import { newestPlansQuery } from "../../api/plans.ts";
import { pluginsQuery } from "../../api/plugins.ts";
import { menuPagesFor } from "../../page-table.ts";
import type { PaletteItem } from "../../ui/Palette.tsx";
import { sayAlert } from "../Alerts/say-alert.ts";
import { useContributedPages } from "../contributed-pages.ts";
import { sayPlanState } from "../Plans/plan-state.ts";
import { chooseTheme, themes, themeWords } from "../Theme/theme.ts";
import { useSignOut } from "../Shell/use-sign-out.ts";

/** Everything the palette can find, for this person and at this moment. */
export function useCommands(openHelp: () => void): readonly PaletteItem[] {
  const navigate = useNavigate();
  const { scopes } = useWhoAmI();
  const contributed = useContributedPages();
  const plugins = useQuery({ ...pluginsQuery, enabled: useMay("plugin:admin") }).data?.items ?? [];
  const nodes = useQuery({ ...nodesQuery, enabled: useMay("node:read") }).data ?? [];
  const alerts = useQuery({ ...alertsQuery(), enabled: useMay("node:read") }).data?.items ?? [];
  const mayAct = useMay("node:admin");
  const plans = useQuery({ ...newestPlansQuery(), enabled: useMay("plan:read") }).data?.items ?? [];
  const mayPlan = useMay("plan:create");
  const signOut = useSignOut();
  return [
    ...menuPagesFor(scopes).map(
      ({ path, title, menu }): PaletteItem => ({
        key: path,
        group: "Pages",
        label: title,
        ...(menu.group !== null && { hint: menu.group }),
        ...(menu.key !== null && { keys: ["g", menu.key] }),
        onSelect: () => void navigate({ to: path }),
      }),
    ),
    ...contributed.map(
      ({ plugin, path, label }): PaletteItem => ({
        key: `app ${plugin} ${path}`,
        group: "Pages",
        label,
        hint: plugin,
        onSelect: () => void navigate({ to: "/apps/$", params: { _splat: path } }),
      }),
    ),
    ...plugins.map(
      ({ id, name, status }): PaletteItem => ({
        key: `plugin ${id}`,
        group: "Plugins",
        label: name,
        hint: `${id}, ${status}`,
        onSelect: () => void navigate({ to: "/plugins/$id", params: { id } }),
      }),
    ),
    ...nodes.map(
      ({ id, name, tags }): PaletteItem => ({
        key: `node ${id}`,
        group: "Nodes",
        label: name,
        hint: tags.join(", "),
        onlyTyped: true,
        onSelect: () => void navigate({ to: "/nodes/$id", params: { id } }),
      }),
    ),
    ...plans.map(
      (plan): PaletteItem => ({
        key: `plan ${plan.id}`,
        group: "Plans",
        label: plan.title,
        hint: sayPlanState(plan).word,
        onlyTyped: true,
        onSelect: () => void navigate({ to: "/plans/$id", params: { id: plan.id } }),
      }),
    ),
    ...alerts.map(
      (alert): PaletteItem => ({
        key: `alert ${alert.id}`,
        group: "Alerts",
        label: `${alert.nodeName}: ${sayAlert(alert).what}`,
        hint: alert.condition,
        onlyTyped: true,
        onSelect: () => void navigate({ to: "/alerts", search: { node: alert.node } }),
      }),
    ),
    ...alerts
      .filter(({ acknowledged }) => mayAct && acknowledged === null)
      .map(
        (alert): PaletteItem => ({
          key: `acknowledge ${alert.id}`,
          group: "Actions",
          label: `Acknowledge ${sayAlert(alert).what} on ${alert.nodeName}…`,
          hint: alert.condition,
          onlyTyped: true,
          onSelect: () => void navigate({ to: "/alerts", search: { acknowledge: alert.id } }),
        }),
      ),
    ...(mayPlan
      ? [{ key: "new plan", group: "Actions", label: "New plan", onSelect: () => void navigate({ to: "/plans/new" }) }]
      : []),
    ...themes.map(
      (theme): PaletteItem => ({
        key: `theme ${theme}`,
        group: "Actions",
        label: `Use the ${themeWords[theme].toLowerCase()} theme`,
        onSelect: () => chooseTheme(theme),
      }),
    ),
    { key: "keys", group: "Actions", label: "Show all keys", keys: ["?"], onSelect: openHelp },
    { key: "sign-out", group: "Actions", label: "Sign out", onSelect: signOut },
  ];
}
