import { verifyPluginRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { verdictLines } from "../plugins/describe-checks.ts";
import { adminAbout, parsePluginId, pluginArgument } from "../plugins/plugin-argument.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

const topic = "plugin check";

/** The artifact is hashed from the server's disk. */
const limitMs = 2 * 60_000;

export const pluginCheck = defineCommand({
  name: topic,
  summary: "have a running server judge the bundle on its disk",
  about: [
    `The server reads the bundle that is in its plugin directory now and shows every check, with what was expected and what was found. No record changes; exit code 1 if it would be rejected. ${adminAbout}`,
    "Use it for a bundle that was placed while the server ran, and for one that was rejected. A server that was taken over can say what it likes: gatehouse plugin verify judges the files without one.",
    connectionAbout,
  ],
  examples: [{ why: "See why a bundle is not accepted", run: "gatehouse plugin check acme-hello" }],
  arguments: { plugin: pluginArgument },
  flags: {},
  run: async (given, surroundings) => {
    const id = parsePluginId(given.plugin, topic);
    const connection = await openConnection(surroundings);
    const { data } = await connection.call(verifyPluginRoute, { body: { id }, limitMs });
    const { accepted, artifactSha256, loaded, checks, refusal } = data;
    const since = loaded
      ? "the bytes that were loaded at the last start"
      : "not loaded: restart the server to load them";
    return {
      ok: accepted,
      lines: [
        accepted ? `${id} is accepted: sha256 ${artifactSha256 ?? "unknown"}, ${since}.` : `${id} is rejected.`,
        ...verdictLines(checks, refusal),
      ],
      json: asJson(data),
    };
  },
});
