import { defineAgentCommand } from "./agent-command.ts";
import { agentVersion, isTestBuild, releaseKeyText, testBuildWords } from "./agent-version.ts";

export const versionCommand = defineAgentCommand({
  name: "version",
  summary: "say which version this is",
  about: [
    "Prints the version of this agent and the processor it was compiled for. A server takes agents of its own version and of the one before.",
    "With --json also the keys of the releases that it takes for its own update, and whether it is a build for tests: such a one takes releases that anybody can sign, and no host should run it.",
  ],
  examples: [
    { why: "See it", run: "gatehouse-agent version" },
    { why: "Use it in a script", run: "gatehouse-agent version --json" },
  ],
  flags: {},
  run: async () => ({
    ok: true,
    lines: [`gatehouse-agent ${agentVersion}`, ...(isTestBuild ? [testBuildWords] : [])],
    json: {
      version: agentVersion,
      architecture: process.arch,
      releaseKeys: releaseKeyText === "" ? [] : releaseKeyText.split(","),
      testBuild: isTestBuild,
    },
  }),
});
