import { defineAgentCommand } from "./agent-command.ts";
import { agentVersion } from "./agent-version.ts";

export const versionCommand = defineAgentCommand({
  name: "version",
  summary: "say which version this is",
  about: [
    "Prints the version of this agent and the processor it was compiled for. A server takes agents of its own version and of the one before.",
  ],
  examples: [
    { why: "See it", run: "gatehouse-agent version" },
    { why: "Use it in a script", run: "gatehouse-agent version --json" },
  ],
  flags: {},
  run: async () => ({
    ok: true,
    lines: [`gatehouse-agent ${agentVersion}`],
    json: { version: agentVersion, architecture: process.arch },
  }),
});
