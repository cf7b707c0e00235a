import { count } from "@gatehouse/command-line";
import { trustRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { trustLines } from "../plugins/describe-trust.ts";
import { adminAbout } from "../plugins/plugin-argument.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

export const pluginTrust = defineCommand({
  name: "plugin trust",
  summary: "show the trust policy a server started with",
  about: [
    `Shows whose signatures the server accepts: publishers with their keys, the ids they may use and the most their plugins may ask for. ${adminAbout}`,
    "The policy is a file the server reads at its start (SERVICE_PLUGIN_TRUST); nothing here can change it. gatehouse trust check FILE reads such a file before a server does.",
    connectionAbout,
  ],
  examples: [{ why: "See who is trusted", run: "gatehouse plugin trust" }],
  flags: {},
  run: async (_given, surroundings) => {
    const connection = await openConnection(surroundings);
    const { data } = await connection.call(trustRoute);
    return {
      ok: true,
      lines: [
        data.configured
          ? `${connection.server.origin} trusts ${count(data.items.length, "publisher")}.`
          : `${connection.server.origin} trusts nobody: SERVICE_PLUGIN_TRUST is not set.`,
        ...trustLines(data.items, data.revoked),
      ],
      json: asJson(data),
    };
  },
});
