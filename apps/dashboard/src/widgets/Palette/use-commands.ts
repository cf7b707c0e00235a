import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMay, useWhoAmI } from "../../api/auth.ts";
import { pluginsQuery } from "../../api/plugins.ts";
import { useContributedPages } from "../contributed-pages.ts";
import { placesFor } from "../places.ts";
import { chooseTheme, themes, themeWords } from "../Theme/theme.ts";
import { useSignOut } from "../Shell/use-sign-out.ts";

export interface Command {
  readonly id: string;
  readonly group: "Pages" | "Plugins" | "Actions";
  readonly label: string;
  /** Found by these too, and shown at the right. */
  readonly hint?: string;
  readonly keys?: readonly string[];
  readonly run: () => void;
}

/** Everything the palette can find, for this person and at this moment. */
export function useCommands(openHelp: () => void): readonly Command[] {
  const navigate = useNavigate();
  const { scopes } = useWhoAmI();
  const contributed = useContributedPages();
  const plugins = useQuery({ ...pluginsQuery, enabled: useMay("plugin:admin") }).data?.items ?? [];
  const signOut = useSignOut();
  return [
    ...placesFor(scopes).map(
      ({ to, label, group, key }): Command => ({
        id: to,
        group: "Pages",
        label,
        ...(group !== null && { hint: group }),
        ...(key !== null && { keys: ["g", key] }),
        run: () => void navigate({ to }),
      }),
    ),
    ...contributed.map(
      ({ plugin, path, label }): Command => ({
        id: `app ${plugin} ${path}`,
        group: "Pages",
        label,
        hint: plugin,
        run: () => void navigate({ to: "/apps/$", params: { _splat: path } }),
      }),
    ),
    ...plugins.map(
      ({ id, name, status }): Command => ({
        id: `plugin ${id}`,
        group: "Plugins",
        label: name,
        hint: `${id}, ${status}`,
        run: () => void navigate({ to: "/plugins/$id", params: { id } }),
      }),
    ),
    ...themes.map(
      (theme): Command => ({
        id: `theme ${theme}`,
        group: "Actions",
        label: `Use the ${themeWords[theme].toLowerCase()} theme`,
        run: () => chooseTheme(theme),
      }),
    ),
    { id: "keys", group: "Actions", label: "Show all keys", keys: ["?"], run: openHelp },
    { id: "sign-out", group: "Actions", label: "Sign out", run: signOut },
  ];
}
