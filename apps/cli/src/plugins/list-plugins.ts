import { fault } from "@gatehouse/contract";
import { type BundleRejection, type Plugin, pluginsRoute } from "@gatehouse/contract/routes";
import type { ServerAnswer } from "../server/call-server.ts";
import type { Connection } from "../server/connection.ts";

/** How well the server's machine can fence plugins in, as it found out at its last start. */
export type HostSandbox = ServerAnswer<typeof pluginsRoute>["data"]["sandbox"];

export interface ListedPlugins {
  readonly items: readonly Plugin[];
  readonly rejections: readonly BundleRejection[];
  readonly sandbox: HostSandbox;
}

/** More than a plugin directory may hold; a server that never comes to an end is not followed for ever. */
const mostPages = 100;

/** Every record, and what the server found at its last start: the bundles it rejected, and the sandbox it has. */
export async function listPlugins(connection: Pick<Connection, "call">): Promise<ListedPlugins> {
  const items: Plugin[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const { data } = await connection.call(pluginsRoute, { query: { limit: "200", cursor } });
    items.push(...data.items);
    const { rejections, sandbox } = data;
    if (data.nextCursor === null || data.items.length === 0) return { items, rejections, sandbox };
    cursor = data.nextCursor;
  }
  throw fault("cli.answer_unexpected", `the server gave ${mostPages} pages of plugins and still has more`);
}
