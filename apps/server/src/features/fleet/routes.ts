import { fault } from "@gatehouse/contract";
import {
  agentBinariesRoute,
  changeNodeRoute,
  createEnrolmentsRoute,
  downloadAgentRoute,
  enrolHostRoute,
  enrolmentsRoute,
  nodeDriftRoute,
  nodeRoute,
  nodesRoute,
  removeNodeRoute,
  revokeEnrolmentRoute,
} from "@gatehouse/contract/routes";
import { ByteReply, recordReply, type Route, route, versionOfTag } from "../../platform/route/index.ts";
import type { AgentBinaries } from "../../platform/agent-binaries/index.ts";
import { enrolHost, type EnrolHostDeps } from "./enrol-host.ts";
import { createEnrolments, listEnrolments, revokeEnrolment } from "./enrolments.ts";
import type { FleetDeps } from "./fleet-deps.ts";
import { changeNode, findDrift, getNode, listNodes, type NodesDeps, removeNode } from "./nodes.ts";
import { viewDrift } from "./view-drift.ts";
import { viewNode } from "./view-node.ts";

export interface FleetRoutesDeps extends FleetDeps, NodesDeps, EnrolHostDeps {
  readonly binaries: AgentBinaries;
}

export function fleetRoutes(deps: FleetRoutesDeps): readonly Route[] {
  return [
    route(enrolmentsRoute, ({ query, request }) =>
      listEnrolments(deps, { cursor: query.cursor, limit: Number(query.limit ?? 50) }, request.now),
    ),
    route(createEnrolmentsRoute, async ({ principal, body, headers, request }) => ({
      items: [...(await createEnrolments(deps, principal, body, request, headers["idempotency-key"]))],
    })),
    route(revokeEnrolmentRoute, ({ principal, params, request }) =>
      revokeEnrolment(deps, principal, params.id, request),
    ),
    route(nodesRoute, ({ nodes, query }) => {
      const page = { ...query, limit: Number(query.limit ?? 100) };
      return nodes.answer((seen) => listNodes(deps, seen, page));
    }),
    route(nodeRoute, async ({ params }) => {
      const { value, version } = await getNode(deps.store, params.id);
      return recordReply(200, viewNode(value, deps.presence, await findDrift(deps.store, params.id)), version);
    }),
    route(nodeDriftRoute, async ({ params }) => {
      await getNode(deps.store, params.id);
      return viewDrift(await findDrift(deps.store, params.id), deps.drifts.find(params.id));
    }),
    route(changeNodeRoute, async ({ principal, params, headers, body, request }) => {
      const target = { id: params.id, version: versionOfTag(headers["if-match"]) };
      const { value, version } = await changeNode(deps, principal, target, body, request);
      return recordReply(200, viewNode(value, deps.presence, await findDrift(deps.store, params.id)), version);
    }),
    route(removeNodeRoute, ({ principal, params, headers, request }) =>
      removeNode(deps, principal, { id: params.id, version: versionOfTag(headers["if-match"]) }, request),
    ),
    route(enrolHostRoute, async ({ body, request }) => ({ message: await enrolHost(deps, body.message, request) })),
    route(agentBinariesRoute, () => ({ version: deps.binaries.version, items: [...deps.binaries.items] })),
    route(downloadAgentRoute, ({ params }) => {
      const found = deps.binaries.find(params.arch);
      if (found === undefined) throw fault("agent.not_built", `there is no agent for ${params.arch}`);
      return new ByteReply({
        mediaType: "application/octet-stream",
        length: found.length,
        headers: { "Content-Encoding": "gzip" },
        open: () => found.open(),
      });
    }),
  ];
}
