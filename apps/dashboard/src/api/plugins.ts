import type { ActionName, LifecycleState } from "@gatehouse/contract";
import type {
  ActionReport,
  BundleVerdict,
  contributionsRoute,
  invokePluginRoute,
  marketplaceRoute,
  movePluginRoute,
  Plugin,
  pluginAnswersRoute,
  pluginsRoute,
  trustRoute,
  verifyPluginRoute,
} from "@gatehouse/contract/routes";
import { queryOptions } from "@tanstack/react-query";
import { fetchApi } from "./client.ts";
import type { DataOf } from "./route-call.ts";

export type Lifecycle = DataOf<typeof pluginsRoute>;
export type PluginAnswers = DataOf<typeof pluginAnswersRoute>;
export type TrustPolicy = DataOf<typeof trustRoute>;
export type TrustedPublisher = TrustPolicy["items"][number];
export type MarketplaceEntry = DataOf<typeof marketplaceRoute>["items"][number];

/** All records: a server holds tens of plugins, so the pages of the answer are read one after the other. */
export const pluginsQuery = queryOptions({
  queryKey: ["plugins"],
  queryFn: async ({ signal }): Promise<Lifecycle> => {
    const read = (cursor?: string) =>
      fetchApi<typeof pluginsRoute>("GET", "/api/plugins/lifecycle", { signal, query: { limit: "200", cursor } });
    const first = await read();
    const items = [...first.items];
    let cursor = first.nextCursor;
    for (let page = 1; cursor !== null && page < 20; page += 1) {
      const more = await read(cursor);
      items.push(...more.items);
      cursor = more.nextCursor;
    }
    return { ...first, items, nextCursor: cursor };
  },
});

/** `artifactSha256` is the digest that is accepted: it must be the one on disk. */
export function movePlugin(id: string, status: LifecycleState, artifactSha256?: string): Promise<Plugin> {
  return fetchApi<typeof movePluginRoute>("POST", "/api/plugins/lifecycle", {
    body: { id, status, ...(artifactSha256 !== undefined && { artifactSha256 }) },
  });
}

/** Judges the bundle that is on disk now. Changes no record. */
export function verifyPlugin(id: string): Promise<BundleVerdict> {
  return fetchApi<typeof verifyPluginRoute>("POST", "/api/plugins/verify", { body: { id } });
}

export const trustQuery = queryOptions({
  queryKey: ["plugins", "trust"],
  queryFn: ({ signal }) => fetchApi<typeof trustRoute>("GET", "/api/plugins/trust", { signal }),
});

export const contributionsQuery = queryOptions({
  queryKey: ["contributions"],
  queryFn: ({ signal }) => fetchApi<typeof contributionsRoute>("GET", "/api/plugins/contributions", { signal }),
});

export const marketplaceQuery = queryOptions({
  queryKey: ["marketplace"],
  queryFn: ({ signal }) =>
    fetchApi<typeof marketplaceRoute>("GET", "/api/marketplace", { signal, query: { limit: "200" } }),
});

/** Asks an active plugin; never changes a host. `plan` is for that action only. */
export function askPlugin(id: string, action: ActionName, plan?: PlanAsk): Promise<ActionReport> {
  return fetchApi<typeof invokePluginRoute>("POST", "/api/plugins/:id/actions/:action", {
    params: { id, action },
    body: plan === undefined ? {} : { input: plan.input, nodes: [...plan.nodes] },
  });
}

export interface PlanAsk {
  readonly input: unknown;
  /** Ids of the nodes that the plan is for. */
  readonly nodes: readonly string[];
}

/** How often a page looks while the server is asking, and while it knows nothing yet. */
const whileAskingMs = 1_000;

/** What the server knows a plugin to say of itself. Looking asks nothing in the reader's name. */
export const pluginAnswersQuery = (id: string) =>
  queryOptions({
    queryKey: ["plugin-answers", id],
    queryFn: ({ signal }) =>
      fetchApi<typeof pluginAnswersRoute>("GET", "/api/plugins/:id/answers", { params: { id }, signal }),
    refetchInterval: ({ state: { data, error } }) => (error === null && isAsking(data) ? whileAskingMs : false),
  });

function isAsking(known: PluginAnswers | undefined): boolean {
  return known !== undefined && (known.describe.asking || known.health.asking);
}
