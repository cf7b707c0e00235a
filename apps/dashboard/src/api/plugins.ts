import type { ActionName, LifecycleState } from "@gatehouse/contract";
import type {
  ActionReport,
  ActiveContribution,
  BundleRejection,
  BundleVerdict,
  marketplaceEntry,
  Plugin,
  sandboxLevels,
  trustedPublisher,
} from "@gatehouse/contract/routes";
import { queryOptions } from "@tanstack/react-query";
import type { output } from "zod";
import { fetchApi } from "./client.ts";
import type { List } from "./list.ts";

export type SandboxLevel = (typeof sandboxLevels)[number];
export type MarketplaceEntry = output<typeof marketplaceEntry>;
export type TrustedPublisher = output<typeof trustedPublisher>;

export interface Lifecycle extends List<Plugin> {
  readonly rejections: readonly BundleRejection[];
  readonly sandbox: { readonly level: SandboxLevel | null; readonly least: SandboxLevel; readonly message: string };
}

export interface TrustPolicy extends List<TrustedPublisher> {
  readonly configured: boolean;
  readonly revoked: { readonly keys: readonly string[]; readonly digests: readonly string[] };
}

/** All records: a server holds tens of plugins, so the pages of the answer are read one after the other. */
export const pluginsQuery = queryOptions({
  queryKey: ["plugins"],
  queryFn: async ({ signal }): Promise<Lifecycle> => {
    const first = await fetchApi<Lifecycle>("GET", "/api/plugins/lifecycle", { signal, query: { limit: 200 } });
    const items = [...first.items];
    let cursor = first.nextCursor;
    for (let page = 1; cursor !== null && page < 20; page += 1) {
      const more = await fetchApi<Lifecycle>("GET", "/api/plugins/lifecycle", {
        signal,
        query: { limit: 200, cursor },
      });
      items.push(...more.items);
      cursor = more.nextCursor;
    }
    return { ...first, items, nextCursor: cursor };
  },
});

/** One record, out of the same answer as the list; `undefined` when there is none of that id. */
export const pluginQuery = (id: string) =>
  queryOptions({ ...pluginsQuery, select: ({ items }: Lifecycle) => items.find((item) => item.id === id) });

/** `artifactSha256` is the digest that is accepted: it must be the one on disk. */
export function movePlugin(id: string, status: LifecycleState, artifactSha256?: string): Promise<Plugin> {
  return fetchApi<Plugin>("POST", "/api/plugins/lifecycle", {
    body: { id, status, ...(artifactSha256 !== undefined && { artifactSha256 }) },
  });
}

/** Judges the bundle that is on disk now. Changes no record. */
export function verifyPlugin(id: string): Promise<BundleVerdict> {
  return fetchApi<BundleVerdict>("POST", "/api/plugins/verify", { body: { id } });
}

export const trustQuery = queryOptions({
  queryKey: ["plugins", "trust"],
  queryFn: ({ signal }) => fetchApi<TrustPolicy>("GET", "/api/plugins/trust", { signal }),
});

export const contributionsQuery = queryOptions({
  queryKey: ["contributions"],
  queryFn: ({ signal }) => fetchApi<List<ActiveContribution>>("GET", "/api/plugins/contributions", { signal }),
});

export const marketplaceQuery = queryOptions({
  queryKey: ["marketplace"],
  queryFn: ({ signal }) =>
    fetchApi<List<MarketplaceEntry>>("GET", "/api/marketplace", { signal, query: { limit: 200 } }),
});

/** Asks an active plugin; never changes a host. `input` is for the action plan only. */
export function askPlugin(id: string, action: ActionName, input?: unknown): Promise<ActionReport> {
  return fetchApi<ActionReport>("POST", `/api/plugins/${encodeURIComponent(id)}/actions/${action}`, {
    body: input === undefined ? {} : { input },
  });
}

/** A plugin's answer that is shown on a page: asked again when somebody wants it, not on every visit. */
export const pluginAnswerQuery = (id: string, action: "describe" | "health") =>
  queryOptions({
    queryKey: ["plugin-answers", id, action],
    queryFn: () => askPlugin(id, action),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
    retry: false,
  });
