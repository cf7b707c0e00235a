import type {
  acknowledgeAlertRoute,
  Alert,
  AlertRule,
  AlertSilence,
  alertRuleRoute,
  changeAlertRuleRoute,
  createAlertRuleRoute,
  createAlertSilenceRoute,
  removeAlertRuleRoute,
  removeAlertSilenceRoute,
} from "@gatehouse/contract/routes";
import { type Answer, callApi, fetchApi } from "./client.ts";
import type { CallOf } from "./route-call.ts";

export type RuleWish = CallOf<typeof createAlertRuleRoute>["body"];
export type RuleChange = CallOf<typeof changeAlertRuleRoute>["body"];
export type SilenceWish = CallOf<typeof createAlertSilenceRoute>["body"];

export function acknowledgeAlert(id: string, note: string): Promise<Alert> {
  return fetchApi<typeof acknowledgeAlertRoute>("POST", "/api/alerts/:id/acknowledgement", {
    params: { id },
    body: note === "" ? {} : { note },
  });
}

/** With the ETag that a change has to send. */
export function readRule(id: string): Promise<Answer<AlertRule>> {
  return callApi<typeof alertRuleRoute>("GET", "/api/alert-rules/:id", { params: { id } });
}

export function createRule(wish: RuleWish, key: string): Promise<AlertRule> {
  return fetchApi<typeof createAlertRuleRoute>("POST", "/api/alert-rules", {
    body: wish,
    headers: { "idempotency-key": key },
  });
}

export function changeRule(id: string, etag: string, change: RuleChange): Promise<AlertRule> {
  return fetchApi<typeof changeAlertRuleRoute>("PATCH", "/api/alert-rules/:id", {
    params: { id },
    headers: { "if-match": etag },
    body: change,
  });
}

export function removeRule(id: string, etag: string): Promise<undefined> {
  return fetchApi<typeof removeAlertRuleRoute>("DELETE", "/api/alert-rules/:id", {
    params: { id },
    headers: { "if-match": etag },
  });
}

export function createSilence(wish: SilenceWish, key: string): Promise<AlertSilence> {
  return fetchApi<typeof createAlertSilenceRoute>("POST", "/api/alert-silences", {
    body: wish,
    headers: { "idempotency-key": key },
  });
}

export function endSilence(id: string): Promise<undefined> {
  return fetchApi<typeof removeAlertSilenceRoute>("DELETE", "/api/alert-silences/:id", { params: { id } });
}
