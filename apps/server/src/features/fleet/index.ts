/**
 * Fleet: hosts that were enrolled: their codes, their records, their control channel and who of them is here.
 * Hands hosts the tasks that plans bring; never decides whether one is sent, and none of its routes leads to one.
 */
import { fault } from "@gatehouse/contract";
import { type NodeDriftRecord, nodeKind } from "@gatehouse/contract/records";
import { agentControlSocket, type Node } from "@gatehouse/contract/routes";
import type { AgentBinaries } from "../../platform/agent-binaries/index.ts";
import { gatherNews } from "../../platform/bus/index.ts";
import type { Route, SeenNodes, SocketRoute } from "../../platform/route/index.ts";
import { openControl } from "./control.ts";
import { findPlanNodes } from "./find-plan-nodes.ts";
import { openDriftBook } from "./drift-book.ts";
import type { FleetDeps } from "./fleet-deps.ts";
import { findDrift, getNode, listNodeIds, listNodes, type NodesPage } from "./nodes.ts";
import { openLogsPace } from "./logs-pace.ts";
import { openOutboxPace } from "./outbox-pace.ts";
import { openPresence, type Seen } from "./presence.ts";
import { fleetRoutes } from "./routes.ts";
import type { ToldStates } from "./state-question.ts";
import type { OfferedParts } from "./offered-parts.ts";
import type { OfferedTask, TaskWord } from "./task-question.ts";
import { type SurveyedNode, surveyNodes } from "./survey-nodes.ts";
import { viewNode } from "./view-node.ts";

export type { Alongside, FleetDeps, ToldOutcome } from "./fleet-deps.ts";
export { shown } from "./shown.ts";
export type { ToldStates } from "./state-question.ts";
export type { OfferedPart, OfferedParts } from "./offered-parts.ts";
export type { OfferedTask, TaskWord } from "./task-question.ts";

export interface Fleet {
  readonly routes: readonly Route[];
  readonly sockets: readonly SocketRoute[];
  /** For those who may see every node. */
  listNodes(page: NodesPage): ReturnType<typeof listNodes>;
  /** The same for somebody who may see some of them. */
  listSeenNodes(seen: SeenNodes, page: NodesPage): ReturnType<typeof listNodes>;
  /** What a host says of parts of itself. Refuses with the reason of the host, or that it is not here. */
  readStates(nodeId: string, subjects: readonly string[]): Promise<ToldStates>;
  /** How a node stands by its connection. */
  seen(nodeId: string): Pick<Seen, "state" | "since">;
  /** What a plan has to know of a node; undefined for one that is not there. */
  findNode(id: string): Promise<Node | undefined>;
  /** What differs on a node from what was confirmed there; undefined where nothing ever did. */
  findDrift(id: string): Promise<NodeDriftRecord | undefined>;
  /** Passes every node once, with what says whether somebody has to look at it. */
  surveyNodes(visit: (node: SurveyedNode) => void): Promise<void>;
  /** The ids of all nodes. */
  nodeIds(): Promise<readonly string[]>;
  /** Refuses an id that there is no node of. */
  requireNode(id: string): Promise<unknown>;
  /** The same: what a plan is told of these nodes, without the ids that there are none for. */
  findPlanNodes(ids: readonly string[]): ReturnType<typeof findPlanNodes>;
  /** Whether the host is here and its agent takes tasks. */
  canTakeTasks(nodeId: string): boolean;
  /** The host's word about a task. Rejects where there was none: it is not here, went away, or took too long. */
  offerTask(nodeId: string, task: OfferedTask, parts: OfferedParts): Promise<TaskWord>;
  /** Calls for every host that connects; returns the way to stop. */
  onArrival(listener: (nodeId: string) => void): () => void;
  /** Nodes that are connected. */
  online(): number;
  close(): void;
}

export function openFleet(deps: FleetDeps & { readonly binaries: AgentBinaries }): Fleet {
  const news = gatherNews({ every: deps.every, tell: deps.tellPresence });
  const arrivals = new Set<(nodeId: string) => void>();
  const presence = openPresence({
    ...deps,
    onChange: (nodeId) => {
      news.note(nodeId);
      if (presence.findChannel(nodeId) !== undefined) for (const hear of arrivals) hear(nodeId);
    },
  });
  const drifts = openDriftBook(deps.clock);
  const cut = (nodeId: string) => presence.cut(nodeId, "channel.replaced");
  const routes = fleetRoutes({ ...deps, presence, cut, drifts });
  const open = openControl({
    ...deps,
    presence,
    drifts,
    pace: openOutboxPace(deps.clock),
    logsPace: openLogsPace(deps.clock, deps.logBudget),
  });
  return {
    routes,
    sockets: [{ spec: agentControlSocket, open }],
    listNodes: (page) => listNodes({ ...deps, presence }, { isEvery: true, has: () => true }, page),
    listSeenNodes: (seen, page) => listNodes({ ...deps, presence }, seen, page),
    readStates: async (nodeId, subjects) => {
      const channel = presence.findChannel(nodeId);
      if (channel === undefined) throw fault("plan.node_offline", "it is not connected");
      return channel.readStates(subjects);
    },
    seen: (nodeId) => presence.seen(nodeId),
    findNode: async (id) => {
      const found = await deps.store.get(nodeKind.key(id));
      return found === undefined ? undefined : viewNode(found.value, presence, await findDrift(deps.store, id));
    },
    findDrift: (id) => findDrift(deps.store, id),
    surveyNodes: (visit) => surveyNodes({ ...deps, presence }, visit),
    nodeIds: () => listNodeIds(deps.store),
    requireNode: (id) => getNode(deps.store, id),
    findPlanNodes: (ids) => findPlanNodes(deps, ids),
    canTakeTasks: (nodeId) => presence.findChannel(nodeId)?.tasks !== undefined,
    offerTask: async (nodeId, task, parts) => {
      const tasks = presence.findChannel(nodeId)?.tasks;
      if (tasks === undefined) throw fault("plan.node_offline", "it is not connected, or takes no tasks");
      return tasks.offer(task, parts);
    },
    onArrival: (listener) => {
      arrivals.add(listener);
      return () => arrivals.delete(listener);
    },
    online: () => presence.online(),
    close: () => {
      presence.close();
      news.close();
    },
  };
}
