import { count, table } from "@gatehouse/command-line";
import { defineCommand } from "../command.ts";
import { hostSandboxLine } from "../plugins/describe-runtime.ts";
import { listPlugins } from "../plugins/list-plugins.ts";
import { adminAbout } from "../plugins/plugin-argument.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

export const pluginList = defineCommand({
  name: "plugin list",
  summary: "list the plugins of a server, and the bundles it rejected",
  about: [
    `Shows every plugin that has a record, with its state, and every bundle that was rejected at the last start, with the reason. Where there are plugins it ends with how well the server's machine can fence them in. ${adminAbout}`,
    "A bundle is looked at when the server starts. One that was placed since then appears after the next start; gatehouse plugin check ID judges it at once.",
    connectionAbout,
  ],
  examples: [
    { why: "See what is there", run: "gatehouse plugin list" },
    { why: "Take the states in a script", run: "gatehouse plugin list --json" },
  ],
  flags: {},
  run: async (_given, surroundings) => {
    const connection = await openConnection(surroundings);
    const { items, rejections, sandbox } = await listPlugins(connection);
    const rows = items.map((plugin) => [
      plugin.id,
      plugin.version,
      plugin.publisher,
      plugin.status,
      plugin.available ? plugin.runtime.state : "no bundle",
      plugin.artifactSha256.slice(0, 12),
      plugin.capabilities.map(({ name }) => name).join(" "),
    ]);
    return {
      ok: true,
      lines: [
        `${count(items.length, "plugin")} and ${count(rejections.length, "rejected bundle")} at ${connection.server.origin}`,
        ...(rows.length === 0
          ? []
          : table(["id", "version", "publisher", "state", "runtime", "sha256", "capabilities"], rows)),
        ...rejections.flatMap(({ name, code, detail, todo }) => [
          `  rejected ${name}: ${code}: ${detail}`,
          `    ${todo}`,
        ]),
        ...(items.length === 0 ? [] : [hostSandboxLine(sandbox)]),
      ],
      json: { items: items.map(asJson), rejections: rejections.map(asJson), sandbox: asJson(sandbox) },
    };
  },
});
