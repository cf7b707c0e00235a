import type { ServerResponse } from "node:http";
import { joinToken } from "@gatehouse/contract";
import {
  applyPlanRoute,
  approvePlanRoute,
  changeSettingsRoute,
  createPlanRoute,
  haltPlanRoute,
  planSectionsRoute,
  plansRoute,
  planTasksRoute,
  planWavesRoute,
  rejectPlanRoute,
  reviewPlanRoute,
  type RouteSpec,
  stopPlansRoute,
  undoPlanRoute,
  withdrawPlanRoute,
} from "@gatehouse/contract/routes";
import { type Received, sendJson, sendProblem, startSmallServer } from "./small-server.ts";
import { sampleNode } from "./sample-node.ts";
import { hosts, samplePlan, type SamplePlan } from "./sample-plan.ts";

const token = joinToken("a".repeat(16), "b".repeat(43));

type Answer = (response: ServerResponse, request: Received) => void;

/** Answers of a path, by method and path without a query. */
export type PlanAnswers = Readonly<Record<string, Answer>>;

const routes: readonly RouteSpec[] = [
  applyPlanRoute,
  approvePlanRoute,
  changeSettingsRoute,
  createPlanRoute,
  planSectionsRoute,
  plansRoute,
  planTasksRoute,
  rejectPlanRoute,
  reviewPlanRoute,
  stopPlansRoute,
  haltPlanRoute,
  planWavesRoute,
  undoPlanRoute,
  withdrawPlanRoute,
];

/** As the real server's edge: what is not of the route's form is refused before anything answers. */
function isOfForm({ method, path, headers, body }: Received): boolean {
  const url = new URL(path, "http://server");
  const asked = url.pathname.split("/");
  const fits = ({ path: known }: RouteSpec) => {
    const parts = known.split("/");
    return parts.length === asked.length && parts.every((part, at) => part.startsWith(":") || part === asked[at]);
  };
  const spec = routes.find((one) => one.method === method && fits(one));
  if (spec === undefined) return true;
  const json: unknown = body === "" ? undefined : JSON.parse(body);
  return (
    (spec.query?.safeParse(Object.fromEntries(url.searchParams)).success ?? true) &&
    (spec.headers?.safeParse(headers).success ?? true) &&
    (spec.body === undefined ? json === undefined : spec.body.safeParse(json).success)
  );
}

/** A server that shows one plan, with answers of the test before its own. */
export async function startPlanServer(shown: SamplePlan = samplePlan(), answers: PlanAnswers = {}) {
  const { plan, bytes, views } = shown;
  const at = `/api/plans/${plan.id}`;
  const sendPlan = (response: ServerResponse, status = 200) =>
    sendJson(response.setHeader("ETag", '"3"'), status, plan);
  const all: PlanAnswers = {
    "GET /api/nodes": (response) =>
      sendJson(response, 200, { items: hosts.map(({ id, name }) => sampleNode({ id, name })), nextCursor: null }),
    "GET /api/plans": (response) => sendJson(response, 200, { items: [plan], nextCursor: null }),
    "GET /api/plans/stop": (response) => sendJson(response, 200, { stopped: null }),
    "POST /api/plans": (response) => sendPlan(response, 201),
    [`POST ${at}/undo`]: (response) => sendPlan(response, 201),
    [`GET ${at}`]: (response) => sendPlan(response),
    [`GET ${at}/document`]: (response) =>
      void response.writeHead(200, { "Content-Type": "application/json" }).end(bytes),
    [`GET ${at}/sections`]: (response, { path }) => {
      const { searchParams: query } = new URL(path, "http://server");
      const [node, from, limit] = ["node", "cursor", "limit"].map((name) => query.get(name));
      const items = views
        .filter((view) => node === null || view.node === node)
        .slice(Number(from), Number(from) + Number(limit));
      const next = Number(from) + items.length;
      const nextCursor = node === null && next < views.length ? String(next) : null;
      sendJson(response, 200, { items, nextCursor });
    },
    ...answers,
  };
  const server = await startSmallServer((response, request) => {
    const answer = all[`${request.method} ${request.path.split("?")[0]}`];
    if (answer === undefined) sendProblem(response, 404, "request.unknown_path");
    else if (!isOfForm(request)) sendProblem(response, 400, "request.malformed", { detail: request.body });
    else answer(response, request);
  });
  return { server, environment: { GATEHOUSE_TOKEN: token, GATEHOUSE_SERVER: server.url.origin } };
}
