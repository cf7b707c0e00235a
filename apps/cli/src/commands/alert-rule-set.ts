import { UsageError } from "@gatehouse/command-line";
import { changeAlertRuleRoute } from "@gatehouse/contract/routes";
import { getNamedRule, ruleArgument } from "../alerts/find-alert.ts";
import { nodesFlags, readAlertNodes, sayNodes } from "../alerts/nodes-flags.ts";
import { changeWatch, watchFlags } from "../alerts/watch-flags.ts";
import { defineCommand } from "../command.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

const topic = "alert rule-set";
const { metric: _, offline: __, ...changeable } = watchFlags;

export const alertRuleSet = defineCommand({
  name: topic,
  summary: "change an alert rule, or switch it off",
  about: [
    "What is not written stays. A rule keeps what it watches for: for another metric make another rule. Alerts of a rule that is switched off end within a minute. It needs the scope node:admin.",
    "If somebody else changes the rule at the same moment, nothing is changed and you are told.",
    connectionAbout,
  ],
  examples: [
    { why: "Be told earlier", run: "gatehouse alert rule-set disk --above 80 --recover 75" },
    { why: "Switch one off", run: "gatehouse alert rule-set flapping --off" },
  ],
  arguments: { rule: ruleArgument },
  flags: {
    name: { value: "NAME", about: "Call it otherwise." },
    on: { about: "Switch it on." },
    off: { about: "Switch it off." },
    ...changeable,
    ...nodesFlags,
  },
  run: async ({ rule: named, name, on, off, all, tag, node, ...given }, surroundings) => {
    if (on && off) throw new UsageError("--on or --off, not both", topic);
    const connection = await openConnection(surroundings);
    const nodes = { ...(all && { all }), ...(tag && { tag }), ...(node && { node }) };
    const appliesTo = await readAlertNodes(connection, nodes, topic);
    const { rule, etag } = await getNamedRule(connection, named);
    const watch = Object.keys(given).length === 0 ? undefined : changeWatch(rule.watch, given, topic);
    const body = { name, enabled: on ?? (off ? false : undefined), watch, appliesTo };
    if (Object.values(body).every((value) => value === undefined)) {
      throw new UsageError("nothing to change: write what becomes otherwise", topic);
    }
    const headers = { "If-Match": etag };
    const { data } = await connection.call(changeAlertRuleRoute, { params: { id: rule.id }, headers, body });
    const state = data.enabled ? "on" : "off";
    return {
      ok: true,
      lines: [`${data.name} (${data.id}) is ${state}: ${data.condition}, ${sayNodes(data.appliesTo)}.`],
      json: { rule: asJson(data) },
    };
  },
});
