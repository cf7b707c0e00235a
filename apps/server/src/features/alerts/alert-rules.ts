import { newId } from "@gatehouse/base";
import { alertLimits, type AlertRuleSpec, builtInAlertRules, fault, sayAlertWatch } from "@gatehouse/contract";
import { type AlertRuleRecord, alertRuleKind } from "@gatehouse/contract/records";
import type { Store, StoredRecord } from "@gatehouse/store";
import { create, listRecords, put, type Reads, remove } from "@gatehouse/store/decide";
import { recall } from "../../platform/idempotency/index.ts";
import { actorOf, entryOf, type Principal, type RequestFacts } from "../../platform/route/index.ts";
import type { AlertsDeps } from "./alerts-deps.ts";

/** A rule as it is in force: the record that somebody made or changed, or the rule that is always there. Then its version is 0. */
export interface KnownRule {
  readonly id: string;
  readonly spec: AlertRuleSpec;
  readonly version: number;
  readonly changed: { readonly at: number; readonly by: string } | undefined;
}

type RulesDeps = Pick<AlertsDeps, "store" | "decide" | "requireRights">;

/** Every change of the rules goes one after the other: they share one bound. */
const turn = "alert-rules";

export async function listAlertRules(store: Pick<Store, "list">): Promise<readonly KnownRule[]> {
  const records = await listRecords(store, alertRuleKind);
  const changed = new Map(records.map((record) => [record.value.id, record]));
  const builtIn = Object.entries(builtInAlertRules).map(([id, spec]) => {
    const record = changed.get(id);
    return record === undefined ? { id, spec, version: 0, changed: undefined } : knownOf(record);
  });
  return [...builtIn, ...records.filter(({ value }) => !isBuiltInRule(value.id)).map(knownOf)];
}

export async function getAlertRule(read: Reads, id: string): Promise<KnownRule> {
  const found = await read.get(alertRuleKind.key(id));
  if (found !== undefined) return knownOf(found);
  if (isBuiltInRule(id)) return { id, spec: builtInAlertRules[id], version: 0, changed: undefined };
  throw fault("alert.rule_unknown", `there is no alert rule ${id}`);
}

export function isBuiltInRule(id: string): id is keyof typeof builtInAlertRules {
  return Object.hasOwn(builtInAlertRules, id);
}

export async function createAlertRule(
  deps: RulesDeps,
  principal: Principal,
  spec: AlertRuleSpec,
  request: RequestFacts,
  key: string | undefined,
): Promise<KnownRule> {
  return deps.decide([turn], async (read) => {
    await deps.requireRights(read, principal, { scope: "node:admin", now: request.now });
    const asked = { userId: principal.id, route: "alert-rules", key, request: spec, now: request.now };
    const remembered = await recall(read, asked);
    if (remembered.resultId !== undefined) {
      const made = await getAlertRule(read, remembered.resultId);
      return { result: () => made };
    }
    const own = (await listRecords(deps.store, alertRuleKind)).filter(({ value }) => !isBuiltInRule(value.id));
    if (own.length >= alertLimits.rules) {
      throw fault("alert.too_many_rules", `at most ${alertLimits.rules} rules can be made, there are ${own.length}`);
    }
    const actor = actorOf(principal);
    const record = { id: newId("rule", request.now), ...spec, changedAt: request.now, changedBy: actor };
    const recordKey = alertRuleKind.key(record.id);
    return {
      entry: entryOf(request, {
        actor,
        action: "alert.rule_created",
        subject: recordKey.text,
        detail: wordsOf(record.id, spec),
      }),
      changes: [create(recordKey, record), ...remembered.keep(record.id)],
      result: ({ version }) => knownOf({ version, value: record }),
    };
  });
}

/** The rule that is meant, and the version the caller has seen. */
export interface TargetRule {
  readonly id: string;
  readonly version: number;
}

export async function changeAlertRule(
  deps: RulesDeps,
  principal: Principal,
  target: TargetRule,
  wanted: { readonly [Field in keyof AlertRuleSpec]?: AlertRuleSpec[Field] | undefined },
  request: RequestFacts,
): Promise<KnownRule> {
  return deps.decide([turn], async (read) => {
    await deps.requireRights(read, principal, { scope: "node:admin", now: request.now });
    const { id, spec: before, version } = await readTarget(read, target);
    const spec: AlertRuleSpec = {
      name: wanted.name ?? before.name,
      enabled: wanted.enabled ?? before.enabled,
      watch: wanted.watch ?? before.watch,
      appliesTo: wanted.appliesTo ?? before.appliesTo,
    };
    if (watchedBy(spec) !== watchedBy(before)) {
      throw fault("alert.rule_kind", `the rule ${id} watches for ${watchedBy(before)}, and not for ${watchedBy(spec)}`);
    }
    const actor = actorOf(principal);
    const record = { id, ...spec, changedAt: request.now, changedBy: actor };
    const key = alertRuleKind.key(id);
    return {
      entry: entryOf(request, {
        actor,
        action: "alert.rule_changed",
        subject: key.text,
        detail: { ...wordsOf(id, spec), from: wordsOf(id, before) },
      }),
      changes: [put({ key, version }, record)],
      result: (committed) => knownOf({ version: committed.version, value: record }),
    };
  });
}

export async function removeAlertRule(
  deps: RulesDeps,
  principal: Principal,
  target: TargetRule,
  request: RequestFacts,
): Promise<undefined> {
  return deps.decide([turn], async (read) => {
    await deps.requireRights(read, principal, { scope: "node:admin", now: request.now });
    if (isBuiltInRule(target.id)) throw fault("alert.rule_built_in", `the rule ${target.id} comes with the server`);
    const { id, spec, version } = await readTarget(read, target);
    const key = alertRuleKind.key(id);
    return {
      entry: entryOf(request, {
        actor: actorOf(principal),
        action: "alert.rule_removed",
        subject: key.text,
        detail: wordsOf(id, spec),
      }),
      changes: [remove({ key, version })],
      result: () => undefined,
    };
  });
}

async function readTarget(read: Reads, { id, version }: TargetRule): Promise<KnownRule> {
  const found = await getAlertRule(read, id);
  if (found.version !== version) throw fault("request.stale", `the alert rule ${id} has changed since it was read`);
  return found;
}

function knownOf({ value, version }: Pick<StoredRecord<AlertRuleRecord>, "value" | "version">): KnownRule {
  const { id, changedAt, changedBy, ...spec } = value;
  return { id, spec, version, changed: { at: changedAt, by: changedBy } };
}

function wordsOf(rule: string, { name, watch, enabled, appliesTo }: AlertRuleSpec) {
  return { rule, name, condition: sayAlertWatch(watch), enabled, appliesTo };
}

function watchedBy({ watch }: AlertRuleSpec): string {
  return watch.kind === "metric" ? watch.metric : watch.kind;
}
