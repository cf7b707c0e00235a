import { count } from "@gatehouse/command-line";
import { marketplaceRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { capabilityLines } from "../plugins/describe-capabilities.ts";
import { fieldLine } from "../plugins/field-lines.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson, listAll } from "../server/list-all.ts";

const most = 10_000;

export const pluginMarket = defineCommand({
  name: "plugin market",
  summary: "list plugins that exist, with how to place them",
  about: [
    "Shows what the operator's metadata file (SERVICE_MARKETPLACE_FILE) says about plugins, and which of them are placed. Nothing in it is verified, and nothing is ever fetched or installed from it: a bundle is placed by hand and then passes every check.",
    connectionAbout,
  ],
  examples: [{ why: "See what there is", run: "gatehouse plugin market" }],
  flags: {},
  run: async (_given, surroundings) => {
    const connection = await openConnection(surroundings);
    const { items, more } = await listAll(connection, marketplaceRoute, { most, pageSize: 200 });
    return {
      ok: true,
      lines: [
        `${count(items.length, "plugin")} known to ${connection.server.origin}; none of this is verified`,
        ...items.flatMap((entry) => [
          `  ${entry.id} ${entry.version} by ${entry.publisher}${entry.placed ? ", placed" : ""}`,
          fieldLine("  about", `${entry.name}: ${entry.summary}`),
          ...(entry.homepage === null ? [] : [fieldLine("  see", entry.homepage)]),
          ...(entry.artifactSha256 === null ? [] : [fieldLine("  artifact", `sha256 ${entry.artifactSha256}`)]),
          ...capabilityLines(entry.capabilities, "  may"),
          ...entry.steps.map((step, index) => fieldLine(index === 0 ? "  to place it" : "", `${index + 1}. ${step}`)),
        ]),
      ],
      json: { items: items.map(asJson), more },
    };
  },
});
