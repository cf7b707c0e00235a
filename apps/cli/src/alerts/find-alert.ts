import { UsageError } from "@gatehouse/command-line";
import { alertLimits, fault } from "@gatehouse/contract";
import {
  type AlertRule,
  alertRuleRoute,
  alertRulesRoute,
  alertSilencesRoute,
  alertsRoute,
} from "@gatehouse/contract/routes";
import type { Connection } from "../server/connection.ts";
import { listAll } from "../server/list-all.ts";
import { unexpected } from "../server/send-request.ts";

export const alertArgument = {
  value: "ALERT",
  about: "The alert's id, or its last digits (four or more), as gatehouse alert list shows them.",
} as const;

export const ruleArgument = {
  value: "RULE",
  about: "The rule's id or its name, as gatehouse alert rules shows them.",
} as const;

export const silenceArgument = {
  value: "SILENCE",
  about: "The silence's id, or its last digits (four or more), as gatehouse alert silences shows them.",
} as const;

export const alertsAtMost = { most: alertLimits.open, pageSize: 1_000 } as const;

export async function getAlertId(connection: Connection, named: string): Promise<string> {
  if (/^alert_[0-9a-hjkmnp-tv-z]{26}$/.test(named)) return named;
  return pickByDigits((await listAll(connection, alertsRoute, alertsAtMost)).items, named, "alert.unknown");
}

export async function getSilenceId(connection: Connection, named: string): Promise<string> {
  if (/^silence_[0-9a-hjkmnp-tv-z]{26}$/.test(named)) return named;
  const { data } = await connection.call(alertSilencesRoute);
  return pickByDigits(data.items, named, "alert.silence_unknown");
}

/** The rule as a person named it, with the version that a change must still find. */
export async function getNamedRule(connection: Connection, named: string): Promise<{ rule: AlertRule; etag: string }> {
  const id = await getRuleId(connection, named);
  const { data, headers } = await connection.call(alertRuleRoute, { params: { id } });
  const etag = headers.get("etag");
  if (etag === null) throw unexpected(connection.server, "it sent a rule without an ETag");
  return { rule: data, etag };
}

/** An id wins over a name: nobody's rule is taken for one that is always there. */
export async function getRuleId(connection: Connection, named: string): Promise<string> {
  const { items } = (await connection.call(alertRulesRoute)).data;
  const fitting = items.filter(({ id }) => id === named);
  const [first, second] = fitting.length > 0 ? fitting : items.filter(({ name }) => name === named);
  if (first === undefined) throw fault("alert.rule_unknown", `no rule has the id or the name ${JSON.stringify(named)}`);
  if (second === undefined) return first.id;
  throw new UsageError(`${JSON.stringify(named)} is the name of several rules; write the id`);
}

function pickByDigits(
  items: readonly { readonly id: string }[],
  digits: string,
  unknown: "alert.unknown" | "alert.silence_unknown",
): string {
  if (!/^[0-9a-hjkmnp-tv-z]{4,25}$/.test(digits)) {
    throw new UsageError(`${JSON.stringify(digits)} is neither an id nor four or more of its last digits`);
  }
  const [first, second] = items.filter(({ id }) => id.endsWith(digits));
  if (first === undefined) throw fault(unknown, `none has the last digits ${digits}`);
  if (second === undefined) return first.id;
  throw new UsageError(`${digits} fits ${first.id} and ${second.id}; write more digits`);
}
