import { shortTime, UsageError } from "@gatehouse/command-line";
import { alertLimits } from "@gatehouse/contract";
import { createAlertSilenceRoute } from "@gatehouse/contract/routes";
import { getRuleId } from "../alerts/find-alert.ts";
import { nodesFlags, readAlertNodes, sayNodes } from "../alerts/nodes-flags.ts";
import { defineCommand } from "../command.ts";
import { parseDuration } from "../parse-duration.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

const topic = "alert silence";

export const alertSilenceCommand = defineCommand({
  name: topic,
  summary: "have nobody told of alerts for a time",
  about: [
    "Alerts still open and are shown, marked as silenced; nobody is told of them until the time is over. Silence what you are about to work on. It needs the scope node:admin.",
    connectionAbout,
  ],
  examples: [
    {
      why: "A host is about to get a new disk",
      run: 'gatehouse alert silence --node db-1 --for 2h --reason "new disk"',
    },
    {
      why: "One rule, for a group of hosts",
      run: 'gatehouse alert silence --tag batch --rule memory --for 7d --reason "month\'s end"',
    },
  ],
  flags: {
    ...nodesFlags,
    rule: { value: "RULE", about: "Only alerts of this rule, by id or name." },
    for: { value: "TIME", about: "How long, from 1m to 30d: 30m, 2h, 7d.", required: true },
    reason: { value: "TEXT", about: "Why, up to 500 characters.", required: true },
  },
  run: async ({ rule, for: time, reason, ...given }, surroundings) => {
    const rules = { option: "--for", topic, least: 60, most: alertLimits.silenceDays * 86_400 };
    const seconds = parseDuration(time, rules);
    const connection = await openConnection(surroundings);
    const appliesTo = await readAlertNodes(connection, given, topic);
    if (appliesTo === undefined) throw new UsageError("write which nodes: --all, --tag or --node", topic);
    // A minute less than the longest: the server's clock is not this one's.
    const until = new Date(Date.now() + (seconds === rules.most ? seconds - 60 : seconds) * 1_000).toISOString();
    const ofRule = rule === undefined ? undefined : await getRuleId(connection, rule);
    const body = { appliesTo, rule: ofRule, until, reason };
    const { data } = await connection.call(createAlertSilenceRoute, { body });
    return {
      ok: true,
      lines: [
        `Silenced until ${shortTime(data.until)}: ${data.rule ?? "every rule"}, ${sayNodes(data.appliesTo)}.`,
        `  end it  gatehouse alert unsilence ${data.id}`,
      ],
      json: { silence: asJson(data) },
    };
  },
});
