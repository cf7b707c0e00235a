import { settingsRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { settingLines } from "../plans/server-settings.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

export const settingsShow = defineCommand({
  name: "settings show",
  summary: "show what owners decided while the server runs",
  about: [
    "Shows whether whoever made a plan may approve it, and whether all plans are stopped. What is decided before the server starts are its SERVICE_ variables. It needs the scope settings:admin.",
    connectionAbout,
  ],
  examples: [{ why: "See them", run: "gatehouse settings show" }],
  flags: {},
  run: async (_, surroundings) => {
    const connection = await openConnection(surroundings);
    const { data } = await connection.call(settingsRoute);
    return {
      ok: true,
      lines: [`Settings of ${connection.server.origin}`, ...settingLines(data)],
      json: { settings: asJson(data) },
    };
  },
});
