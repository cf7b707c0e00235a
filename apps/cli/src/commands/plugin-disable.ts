import { movePluginRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { adminAbout, parsePluginId, pluginArgument } from "../plugins/plugin-argument.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

const topic = "plugin disable";

export const pluginDisable = defineCommand({
  name: topic,
  summary: "stop a plugin and take its pages away",
  about: [
    `Takes away the plugin's access first, then stops it; its pages disappear. The record stays, and so does the bundle. ${adminAbout}`,
    "To remove a plugin for good: disable it, take its directory out of the plugin directory, restart the server.",
    connectionAbout,
  ],
  examples: [{ why: "Stop it now", run: "gatehouse plugin disable acme-hello" }],
  arguments: { plugin: pluginArgument },
  flags: {},
  run: async (given, surroundings) => {
    const id = parsePluginId(given.plugin, topic);
    const connection = await openConnection(surroundings);
    const { data } = await connection.call(movePluginRoute, { body: { id, status: "disabled" }, limitMs: 60_000 });
    const { state, message } = data.runtime;
    const isLeft = state === "failed";
    return {
      // Access has ended either way; what was left behind is for somebody to remove.
      ok: !isLeft,
      lines: [
        `${id} ${data.version} is ${data.status}: it cannot run and shows nothing.`,
        ...(isLeft ? [`Its runtime did not stop cleanly: ${message ?? "the server's log has the cause"}`] : []),
      ],
      json: { plugin: asJson(data) },
    };
  },
});
