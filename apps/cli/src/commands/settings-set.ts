import { changeSettingsRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { parseSetting, settingLines, changeableSettings } from "../plans/server-settings.ts";
import { callWithProof, openOwnSession, proofAbout } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";
import { openPasswordSource, passwordFlags } from "../terminal/password-source.ts";

const topic = "settings set";

export const settingsSet = defineCommand({
  name: topic,
  summary: "change a setting of the running server, or end the stop of all plans",
  about: [
    "plans.selfApproval true lets whoever made a plan approve it too: for installs of one person. plans.stopped none ends the stop of gatehouse plan stop; a plan that expired meanwhile stays expired.",
    `It needs the scope settings:admin, and a session: a token can never do this. ${proofAbout}`,
  ],
  examples: [
    { why: "There is one person here", run: "gatehouse settings set plans.selfApproval true" },
    { why: "End the stop of all plans", run: "gatehouse settings set plans.stopped none" },
  ],
  arguments: {
    setting: { value: "SETTING", about: `Which: ${changeableSettings.join(" or ")}.` },
    value: { value: "VALUE", about: "True or false for plans.selfApproval, none for plans.stopped." },
  },
  flags: passwordFlags,
  run: async (given, surroundings) => {
    const body = parseSetting(given.setting, given.value, topic);
    const connection = await openOwnSession(surroundings);
    const passwords = openPasswordSource(surroundings.terminal, given["password-stdin"] === true, 1);
    const { data } = await callWithProof({ connection, passwords }, changeSettingsRoute, { body });
    return {
      ok: true,
      lines: [`Settings of ${connection.server.origin}`, ...settingLines(data)],
      json: { settings: asJson(data) },
    };
  },
});
