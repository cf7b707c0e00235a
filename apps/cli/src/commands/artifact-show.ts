import { artifactLines } from "../artifacts/describe-artifact.ts";
import { artifactArgument, getNamedArtifact } from "../artifacts/find-artifact.ts";
import { defineCommand } from "../command.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

export const artifactShow = defineCommand({
  name: "artifact show",
  summary: "show one artifact: what was signed of it, and how much has arrived",
  about: [
    "Shows what the publisher says of an artifact, its digest and size, the key that it names, who brought it, and how much of it is there; times are UTC. All of it is what the server says. Compare the sha256 with what the publisher announces elsewhere. It needs the scope plan:read.",
    connectionAbout,
  ],
  examples: [
    { why: "By its name and version", run: "gatehouse artifact show tool@1.2.3" },
    { why: "By its last digits, for a script", run: "gatehouse artifact show 5d7skrbj --json" },
  ],
  arguments: { artifact: artifactArgument },
  flags: {},
  run: async ({ artifact: named }, surroundings) => {
    const artifact = await getNamedArtifact(await openConnection(surroundings), named);
    return { ok: true, lines: artifactLines(artifact), json: { artifact: asJson(artifact) } };
  },
});
