/**
 * Fleet: hosts that were enrolled: their codes, their records, their control channel and who of them is here.
 * Never changes a host: no frame it sends does, and none of its routes leads to one.
 */
import { agentControlSocket } from "@gatehouse/contract/routes";
import type { AgentBinaries } from "../../platform/agent-binaries/index.ts";
import type { Route, SocketRoute } from "../../platform/route/index.ts";
import { openControl } from "./control.ts";
import type { FleetDeps } from "./fleet-deps.ts";
import { listNodes, type NodesPage } from "./nodes.ts";
import { openPresence } from "./presence.ts";
import { openPresenceNews } from "./presence-news.ts";
import { fleetRoutes } from "./routes.ts";

export type { FleetDeps } from "./fleet-deps.ts";

export interface Fleet {
  readonly routes: readonly Route[];
  readonly sockets: readonly SocketRoute[];
  /** For those who may see every node. */
  listNodes(page: NodesPage): ReturnType<typeof listNodes>;
  /** Nodes that are connected. */
  online(): number;
  close(): void;
}

export function openFleet(deps: FleetDeps & { readonly binaries: AgentBinaries }): Fleet {
  const news = openPresenceNews(deps);
  const presence = openPresence({ ...deps, onChange: news.note });
  const cut = (nodeId: string) => presence.cut(nodeId, "channel.replaced");
  const routes = fleetRoutes({ ...deps, presence, cut });
  const open = openControl({ ...deps, presence });
  return {
    routes,
    sockets: [{ spec: agentControlSocket, open }],
    listNodes: (page) => listNodes({ ...deps, presence }, { isEvery: true, has: () => true }, page),
    online: () => presence.online(),
    close: () => {
      presence.close();
      news.close();
    },
  };
}
