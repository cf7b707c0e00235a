import { UsageError } from "@gatehouse/command-line";
import { sha256Pattern } from "@gatehouse/contract";
import { movePluginRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { linesOfPlugin } from "../plugins/describe-plugin.ts";
import { adminAbout, parsePluginId, pluginArgument } from "../plugins/plugin-argument.ts";
import { callWithProof, connectionAbout, openConnection, proofAbout } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";
import { openPasswordSource, passwordFlags } from "../terminal/password-source.ts";

const topic = "plugin install";

export const pluginInstall = defineCommand({
  name: topic,
  summary: "accept a verified bundle for this server",
  about: [
    `Accepts the bytes that the server verified, and prints the digest and the capabilities that were accepted. Nothing is downloaded and nothing runs: activating is a decision of its own. ${adminAbout}`,
    "With --digest it is accepted only if the artifact on the server's disk has exactly this digest. Take the digest from the publisher, not from the server, and the two need not trust the way between them. A version below one that was accepted before is refused without it.",
    `${proofAbout} A token is not asked.`,
    connectionAbout,
  ],
  examples: [
    { why: "Accept what was verified", run: "gatehouse plugin install acme-hello" },
    {
      why: "Accept only the bytes the publisher announced",
      run: "gatehouse plugin install acme-hello --digest SHA256",
    },
  ],
  arguments: { plugin: pluginArgument },
  flags: {
    digest: { value: "SHA256", about: "The artifact's SHA-256: 64 characters of 0-9 and a-f." },
    ...passwordFlags,
  },
  run: async (given, surroundings) => {
    const id = parsePluginId(given.plugin, topic);
    const { digest } = given;
    if (digest !== undefined && !sha256Pattern.test(digest)) {
      throw new UsageError(`--digest takes 64 characters of 0-9 and a-f; found ${JSON.stringify(digest)}`, topic);
    }
    const connection = await openConnection(surroundings);
    const passwords = openPasswordSource(surroundings.terminal, given["password-stdin"] === true, 1);
    const { data } = await callWithProof({ connection, passwords }, movePluginRoute, {
      body: { id, status: "installed", artifactSha256: digest },
    });
    return {
      ok: true,
      lines: [
        `${id} ${data.version} is ${data.status}: these bytes and these capabilities were accepted.`,
        ...linesOfPlugin(data),
        `  It does not run yet: gatehouse plugin activate ${id}`,
      ],
      json: { plugin: asJson(data) },
    };
  },
});
