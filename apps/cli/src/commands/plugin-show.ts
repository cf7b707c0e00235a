import { fault } from "@gatehouse/contract";
import { defineCommand } from "../command.ts";
import { linesOfPlugin, pluginStateLines } from "../plugins/describe-plugin.ts";
import { listPlugins } from "../plugins/list-plugins.ts";
import { adminAbout, parsePluginId, pluginArgument } from "../plugins/plugin-argument.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

const topic = "plugin show";

export const pluginShow = defineCommand({
  name: topic,
  summary: "show one plugin: who made it, what it may do, where it stands",
  about: [
    `Shows what to confirm before a plugin is accepted: identity, version, publisher, digest and capabilities, and what differs from the bytes that were here before. If the bundle was rejected it says why, and the exit code is 1. ${adminAbout}`,
    "Of an active plugin it also shows how it is fenced in, how often it was asked and failed, its last errors with the end of what it wrote to standard error, and which of the capabilities it declares it has really used since it was activated. A breaker that is open leaves the plugin alone for 30 seconds after five failures in a row.",
    connectionAbout,
  ],
  examples: [
    { why: "Read about a plugin before installing it", run: "gatehouse plugin show acme-hello" },
    { why: "Take its digest in a script", run: "gatehouse plugin show acme-hello --json" },
  ],
  arguments: { plugin: pluginArgument },
  flags: {},
  run: async (given, surroundings) => {
    const id = parsePluginId(given.plugin, topic);
    const connection = await openConnection(surroundings);
    const { items, rejections } = await listPlugins(connection);
    const plugin = items.find((item) => item.id === id);
    const rejection = rejections.find(({ name }) => name === id);
    const rejected =
      rejection === undefined
        ? []
        : [
            `The bundle ${id} was rejected at the last start.`,
            `  ${rejection.code}: ${rejection.detail}`,
            `  ${rejection.todo}`,
          ];
    if (plugin === undefined && rejection === undefined) {
      throw fault("plugin.unknown", `no plugin of ${connection.server.origin} has the id ${id}`);
    }
    return {
      ok: rejection === undefined,
      lines: [
        ...rejected,
        ...(plugin === undefined
          ? []
          : [`${id} ${plugin.version} is ${plugin.status}.`, ...linesOfPlugin(plugin), ...pluginStateLines(plugin)]),
      ],
      json: {
        plugin: plugin === undefined ? null : asJson(plugin),
        rejection: rejection === undefined ? null : asJson(rejection),
      },
    };
  },
});
