import { createAlertRuleRoute } from "@gatehouse/contract/routes";
import { nodesFlags, readAlertNodes, sayNodes } from "../alerts/nodes-flags.ts";
import { readWatch, watchFlags } from "../alerts/watch-flags.ts";
import { defineCommand } from "../command.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

const topic = "alert rule-add";

export const alertRuleAdd = defineCommand({
  name: topic,
  summary: "make an alert rule",
  about: [
    "A rule of a metric opens an alert when every minute that a host measured was beyond the threshold for so long, and ends it when it was back for so long. Minutes in which nothing was measured count for neither. Without --tag or --node it is about all nodes. It needs the scope node:admin.",
    connectionAbout,
  ],
  examples: [
    { why: "A full disk", run: "gatehouse alert rule-add Backups --metric disk --above 80 --recover 75 --tag backup" },
    { why: "Hosts that must not be away", run: "gatehouse alert rule-add Routers --offline --for 0 --tag router" },
    { why: "Hosts that come and go", run: "gatehouse alert rule-add Unsteady --flapping 3 --within 10" },
  ],
  arguments: { name: { value: "NAME", about: "What people call it, up to 64 characters." } },
  flags: { ...watchFlags, ...nodesFlags },
  run: async ({ name, ...given }, surroundings) => {
    const watch = readWatch(given, topic);
    const connection = await openConnection(surroundings);
    const appliesTo = (await readAlertNodes(connection, given, topic)) ?? { all: true };
    const { data } = await connection.call(createAlertRuleRoute, { body: { name, watch, appliesTo } });
    return {
      ok: true,
      lines: [`${data.name} (${data.id}): ${data.condition}, ${sayNodes(data.appliesTo)}.`],
      json: { rule: asJson(data) },
    };
  },
});
