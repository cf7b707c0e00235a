import { removeAlertRuleRoute } from "@gatehouse/contract/routes";
import { getNamedRule, ruleArgument } from "../alerts/find-alert.ts";
import { defineCommand } from "../command.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";

export const alertRuleRemove = defineCommand({
  name: "alert rule-remove",
  summary: "remove an alert rule",
  about: [
    "Its open alerts end within a minute. A rule that is always there is switched off instead, with gatehouse alert rule-set RULE --off. It needs the scope node:admin.",
    connectionAbout,
  ],
  examples: [{ why: "Watch no more", run: "gatehouse alert rule-remove Backups" }],
  arguments: { rule: ruleArgument },
  flags: {},
  run: async ({ rule: named }, surroundings) => {
    const connection = await openConnection(surroundings);
    const { rule, etag } = await getNamedRule(connection, named);
    await connection.call(removeAlertRuleRoute, { params: { id: rule.id }, headers: { "If-Match": etag } });
    return { ok: true, lines: [`The rule ${rule.name} (${rule.id}) is removed.`], json: { removed: rule.id } };
  },
});
