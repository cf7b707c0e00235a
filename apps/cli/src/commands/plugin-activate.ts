import { movePluginRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { linesOfPlugin, pluginStateLines } from "../plugins/describe-plugin.ts";
import { adminAbout, parsePluginId, pluginArgument } from "../plugins/plugin-argument.ts";
import { callWithProof, connectionAbout, openConnection, proofAbout } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";
import { openPasswordSource, passwordFlags } from "../terminal/password-source.ts";

const topic = "plugin activate";

export const pluginActivate = defineCommand({
  name: topic,
  summary: "let an installed plugin run, and show what it contributes",
  about: [
    `The server checks the bundle on its disk once more, arms the runtime and shows the plugin's pages. No host is changed by it: plans have their own approval. ${adminAbout}`,
    "If the runtime cannot be armed the command is refused (plugin.activation_failed), the plugin is disabled, and the audit log holds the reason.",
    `${proofAbout} A token is not asked.`,
    connectionAbout,
  ],
  examples: [{ why: "Let it run", run: "gatehouse plugin activate acme-hello" }],
  arguments: { plugin: pluginArgument },
  flags: passwordFlags,
  run: async (given, surroundings) => {
    const id = parsePluginId(given.plugin, topic);
    const connection = await openConnection(surroundings);
    const passwords = openPasswordSource(surroundings.terminal, given["password-stdin"] === true, 1);
    const { data } = await callWithProof({ connection, passwords }, movePluginRoute, {
      body: { id, status: "active" },
      limitMs: 60_000,
    });
    return {
      ok: true,
      lines: [`${id} ${data.version} is ${data.status}.`, ...linesOfPlugin(data), ...pluginStateLines(data)],
      json: { plugin: asJson(data) },
    };
  },
});
