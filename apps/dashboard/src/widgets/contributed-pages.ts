import { isComponentKey } from "@gatehouse/contract";
import { useQuery } from "@tanstack/react-query";
import { contributionsQuery } from "../api/plugins.ts";
import { appPathOf } from "./app-path.ts";

export interface ContributedPage {
  readonly plugin: string;
  readonly label: string;
  /** What comes after `/apps/`. */
  readonly path: string;
}

/** Pages of active plugins that this person may see and that this build can show. */
export function useContributedPages(): readonly ContributedPage[] {
  const items = useQuery(contributionsQuery).data?.items ?? [];
  return items
    .filter(({ kind, component }) => kind === "nav" && isComponentKey(component))
    .map(({ plugin, title, path }) => ({ plugin, label: title ?? plugin, path: appPathOf(path) }));
}
