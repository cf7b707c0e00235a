import { fault } from "@gatehouse/contract";
import { type PlanRecord, planKind } from "@gatehouse/contract/records";
import {
  approvePlanRoute,
  applyPlanRoute,
  createPlanRoute,
  driftDifferenceRoute,
  haltPlanRoute,
  type Plan,
  planApprovalsRoute,
  planDocumentRoute,
  planDriftRoute,
  planQuestionRoute,
  planRoute,
  planSectionsRoute,
  plansRoute,
  planTasksRoute,
  planWavesRoute,
  rejectPlanRoute,
  reviewPlanRoute,
  undoPlanRoute,
  withdrawPlanRoute,
} from "@gatehouse/contract/routes";
import type { StoredRecord } from "@gatehouse/store";
import type { Blobs } from "@gatehouse/store/blobs";
import { listRecords } from "@gatehouse/store/decide";
import { ByteReply, recordReply, type Reply, type Route, route, versionOfTag } from "../../platform/route/index.ts";
import { approvePlan } from "./approve-plan.ts";
import { openPlanBlob } from "./evidence.ts";
import { haltByHand } from "./halt-plan.ts";
import { listApprovals } from "./list-approvals.ts";
import { listTasks } from "./list-tasks.ts";
import { listWaves } from "./list-waves.ts";
import type { HeldPlans } from "./held-plans.ts";
import { getPlan } from "./make-plan.ts";
import { makeDriftPlan } from "./make-drift-plan.ts";
import { makeUndoPlan } from "./make-undo-plan.ts";
import { makeWantedPlan } from "./make-wanted-plan.ts";
import { movePlan } from "./move-plan.ts";
import type { PlansDeps } from "./plans-deps.ts";
import type { PlanRunner } from "./run-plans.ts";
import { readDriftDifference } from "./read-drift-difference.ts";
import { startPlan } from "./start-plan.ts";
import { openSections } from "./view-sections.ts";
import { stateAt, viewPlan } from "./view-plan.ts";
import { openWaitingFor } from "./waiting-for.ts";

export function planRoutes(
  deps: PlansDeps & HeldPlans,
  runner: Pick<PlanRunner, "started" | "stepOf" | "countWaves">,
): readonly Route[] {
  const sections = openSections(deps);
  const reply = ({ value, version }: StoredRecord<PlanRecord>, now: number, status = 200): Reply =>
    recordReply(status, viewPlan(value, now), version);
  return [
    route(plansRoute, async ({ principal, query, request }) => {
      const { waiting, limit = "50", ...page } = query;
      const isWanted = waiting === undefined ? () => true : await openWaitingFor(deps, principal);
      return listPlans(deps, { ...page, isWanted, limit: Number(limit) }, request.now);
    }),
    route(createPlanRoute, async ({ principal, body, headers, request }) => {
      const order = { wanted: body, key: headers["idempotency-key"] };
      return reply(await makeWantedPlan(deps, principal, order, request), request.now, 201);
    }),
    route(undoPlanRoute, async ({ principal, params, body, headers, request }) => {
      const order = { id: params.id, wanted: body, key: headers["idempotency-key"] };
      return reply(await makeUndoPlan(deps, principal, order, request), request.now, 201);
    }),
    route(planDriftRoute, async ({ principal, params, body, headers, request }) => {
      const order = { node: params.id, subjects: body.subjects, key: headers["idempotency-key"] };
      return reply(await makeDriftPlan(deps, principal, order, request), request.now, 201);
    }),
    route(driftDifferenceRoute, ({ params, query }) => readDriftDifference(deps, params.id, query.subject)),
    route(planRoute, async ({ params, request }) => reply(await getPlan(deps.store, params.id), request.now)),
    route(planDocumentRoute, async ({ params }) => {
      const { value } = await getPlan(deps.store, params.id);
      return bytesOf(deps.blobs, value.document);
    }),
    route(planQuestionRoute, async ({ params }) => {
      const { value } = await getPlan(deps.store, params.id);
      if (value.question === undefined) throw fault("plan.unknown", "a person made it: no plugin was asked");
      return bytesOf(deps.blobs, value.question);
    }),
    route(planSectionsRoute, async ({ params, query }) => {
      const { value } = await getPlan(deps.store, params.id);
      const page = { node: query.node, first: Number(query.cursor ?? 0), limit: Number(query.limit ?? 20) };
      return sections(value, page);
    }),
    route(reviewPlanRoute, async ({ principal, params, headers, request }) => {
      const target = { id: params.id, version: versionOfTag(headers["if-match"]) };
      return reply(await movePlan(deps, "offer", principal, target, { request }), request.now);
    }),
    route(withdrawPlanRoute, async ({ principal, params, headers, body, request }) => {
      const target = { id: params.id, version: versionOfTag(headers["if-match"]) };
      return reply(await movePlan(deps, "withdraw", principal, target, { ...body, request }), request.now);
    }),
    route(rejectPlanRoute, async ({ principal, params, headers, body, request }) => {
      const target = { id: params.id, version: versionOfTag(headers["if-match"]) };
      return reply(await movePlan(deps, "reject", principal, target, { ...body, request }), request.now);
    }),
    route(planApprovalsRoute, async ({ params }) => {
      const { value } = await getPlan(deps.store, params.id);
      return listApprovals(deps.blobs, value);
    }),
    route(approvePlanRoute, async ({ principal, params, headers, body, request }) => {
      const target = { id: params.id, version: versionOfTag(headers["if-match"]) };
      return reply(await approvePlan(deps, principal, target, { wanted: body, request }), request.now);
    }),
    route(applyPlanRoute, async ({ principal, params, headers, body, request }) => {
      const target = { id: params.id, version: versionOfTag(headers["if-match"]) };
      const started = await startPlan(deps, principal, target, { wanted: body, request });
      runner.started(params.id);
      return reply(started, request.now);
    }),
    route(haltPlanRoute, async ({ principal, params, body, request }) =>
      reply(await haltByHand(deps, principal, { id: params.id, reason: body.reason, request }), request.now),
    ),
    route(planWavesRoute, async ({ params }) => {
      const { value } = await getPlan(deps.store, params.id);
      return listWaves(deps, value, runner.countWaves(value.id, value.run?.waves.length ?? 1));
    }),
    route(planTasksRoute, async ({ params, query }) => {
      const { value } = await getPlan(deps.store, params.id);
      return listTasks({ ...deps, stepOf: (task) => runner.stepOf(task) }, value, {
        state: query.state,
        isNotable: query.notable === "yes",
        first: Number(query.cursor ?? 0),
        limit: Number(query.limit ?? 100),
      });
    }),
  ];
}

interface PlansPage {
  readonly state?: Plan["state"] | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly isWanted: (plan: PlanRecord, state: Plan["state"]) => boolean;
}

/** The newest first: ids begin with the time, and there are never many. */
async function listPlans(
  { store }: Pick<PlansDeps, "store">,
  page: PlansPage,
  now: number,
): Promise<{ items: Plan[]; nextCursor: string | null }> {
  const all = await listRecords(store, planKind);
  const wanted = all
    .filter(({ value }) => page.state === undefined || stateAt(value, now) === page.state)
    .filter(({ value }) => page.isWanted(value, stateAt(value, now)))
    .filter(({ value }) => page.cursor === undefined || value.id < page.cursor)
    .toReversed();
  const items = wanted.slice(0, page.limit).map(({ value }) => viewPlan(value, now));
  return { items, nextCursor: wanted.length > items.length ? (items.at(-1)?.id ?? null) : null };
}

async function bytesOf(blobs: Blobs, digest: string): Promise<ByteReply> {
  const known = await openPlanBlob(blobs, digest);
  await known.close();
  const length = known.size;
  return new ByteReply({
    mediaType: "application/json",
    length,
    open: async function* () {
      const blob = await openPlanBlob(blobs, digest);
      try {
        for (let at = 0; at < length; ) {
          const part = await blob.read(at, length - at);
          if (part.byteLength === 0) throw fault("plan.bytes_missing", "a blob of the plan is shorter than it was");
          at += part.byteLength;
          yield part;
        }
      } finally {
        await blob.close();
      }
    },
  });
}
