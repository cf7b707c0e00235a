import { type BundleRejection, fault, type Plugin, pluginsRoute } from "@gatehouse/contract";
import type { Connection } from "../server/connection.ts";

export interface ListedPlugins {
  readonly items: readonly Plugin[];
  readonly rejections: readonly BundleRejection[];
}

/** More than a plugin directory may hold; a server that never comes to an end is not followed for ever. */
const mostPages = 100;

/** Every record, and every bundle that was rejected at the last start. */
export async function listPlugins(connection: Pick<Connection, "call">): Promise<ListedPlugins> {
  const items: Plugin[] = [];
  let rejections: readonly BundleRejection[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const { data } = await connection.call(pluginsRoute, { query: { limit: "200", cursor } });
    items.push(...data.items);
    rejections = data.rejections;
    if (data.nextCursor === null || data.items.length === 0) return { items, rejections };
    cursor = data.nextCursor;
  }
  throw fault("cli.answer_unexpected", `the server gave ${mostPages} pages of plugins and still has more`);
}
