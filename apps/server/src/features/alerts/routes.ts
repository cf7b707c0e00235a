import { type AlertRecord, alertSilenceKind } from "@gatehouse/contract/records";
import {
  acknowledgeAlertRoute,
  alertRuleRoute,
  alertRulesRoute,
  alertSilencesRoute,
  alertsRoute,
  changeAlertRuleRoute,
  createAlertRuleRoute,
  createAlertSilenceRoute,
  removeAlertRuleRoute,
  removeAlertSilenceRoute,
} from "@gatehouse/contract/routes";
import { listRecords } from "@gatehouse/store/decide";
import { recordReply, type Route, route, type SeenNodes, versionOfTag } from "../../platform/route/index.ts";
import { acknowledgeAlert } from "./acknowledge-alert.ts";
import { changeAlertRule, createAlertRule, getAlertRule, type KnownRule, removeAlertRule } from "./alert-rules.ts";
import { createSilence, endSilence } from "./alert-silences.ts";
import type { AlertsDeps } from "./alerts-deps.ts";
import { readBoard, viewAlert, type ViewDeps, viewRule, viewSilence } from "./view-alerts.ts";

export interface AlertsRoutesDeps extends AlertsDeps, ViewDeps {
  readonly unkept: () => number;
}

const everyNode: SeenNodes = { isEvery: true, has: () => true };

export function alertsRoutes(deps: AlertsRoutesDeps): readonly Route[] {
  const replyRule = async (status: number, rule: KnownRule) => {
    const view = viewRule(rule, await readBoard(deps.store, everyNode), everyNode);
    return recordReply(status, view ?? {}, rule.version);
  };
  return [
    route(alertsRoute, ({ nodes, query }) => nodes.answer((seen) => listAlerts(deps, seen, query))),
    route(acknowledgeAlertRoute, ({ nodes, principal, params, body, request }) =>
      nodes.answer(async (seen) => {
        const alert = await acknowledgeAlert(deps, principal, { id: params.id, note: body.note, seen }, request);
        return viewAlert(deps, await readBoard(deps.store, seen), alert);
      }),
    ),
    route(alertRulesRoute, ({ nodes }) =>
      nodes.answer(async (seen) => {
        const board = await readBoard(deps.store, seen);
        const items = [...board.rules.values()].map((rule) => viewRule(rule, board, seen));
        return { items: items.filter((rule) => rule !== undefined), nextCursor: null };
      }),
    ),
    route(alertRuleRoute, async ({ params }) => replyRule(200, await getAlertRule(deps.store, params.id))),
    route(createAlertRuleRoute, async ({ principal, body, headers, request }) => {
      const { name, watch, enabled = true, appliesTo = { all: true } } = body;
      const spec = { name, enabled, watch, appliesTo };
      return replyRule(201, await createAlertRule(deps, principal, spec, request, headers["idempotency-key"]));
    }),
    route(changeAlertRuleRoute, async ({ principal, params, headers, body, request }) => {
      const target = { id: params.id, version: versionOfTag(headers["if-match"]) };
      return replyRule(200, await changeAlertRule(deps, principal, target, body, request));
    }),
    route(removeAlertRuleRoute, ({ principal, params, headers, request }) =>
      removeAlertRule(deps, principal, { id: params.id, version: versionOfTag(headers["if-match"]) }, request),
    ),
    route(alertSilencesRoute, ({ nodes, request }) =>
      nodes.answer(async (seen) => {
        const silences = (await listRecords(deps.store, alertSilenceKind)).map(({ value }) => value);
        const items = silences.filter(({ until }) => until > request.now).map((silence) => viewSilence(silence, seen));
        return { items: items.filter((silence) => silence !== undefined), nextCursor: null };
      }),
    ),
    route(createAlertSilenceRoute, async ({ principal, body, headers, request }) => {
      const made = await createSilence(deps, principal, body, request, headers["idempotency-key"]);
      const view = viewSilence(made, everyNode);
      if (view === undefined) throw new Error(`the silence ${made.id} names no node`);
      return view;
    }),
    route(removeAlertSilenceRoute, ({ principal, params, request }) => endSilence(deps, principal, params.id, request)),
  ];
}

interface AlertsPage {
  readonly node?: string | undefined;
  readonly rule?: string | undefined;
  readonly limit?: string | undefined;
  readonly cursor?: string | undefined;
}

/** Ids sort by age, so that a page goes on where the one before has ended, whatever has ended in between. */
async function listAlerts(deps: AlertsRoutesDeps, seen: SeenNodes, { node, rule, cursor, limit = "100" }: AlertsPage) {
  const board = await readBoard(deps.store, seen);
  const isWanted = (alert: AlertRecord) =>
    (node === undefined || alert.node === node) &&
    (rule === undefined || alert.rule === rule) &&
    (cursor === undefined || alert.id > cursor);
  const wanted = board.alerts.filter(isWanted);
  const shown = wanted.slice(0, Number(limit));
  return {
    items: await Promise.all(shown.map((alert) => viewAlert(deps, board, alert))),
    nextCursor: wanted.length > shown.length ? (shown.at(-1)?.id ?? null) : null,
    open: board.alerts.length,
    unkept: seen.isEvery ? deps.unkept() : null,
  };
}
