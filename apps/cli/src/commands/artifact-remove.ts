import { removeArtifactRoute } from "@gatehouse/contract/routes";
import { sayArtifact } from "../artifacts/describe-facts.ts";
import { artifactArgument, getNamedArtifact } from "../artifacts/find-artifact.ts";
import { defineCommand } from "../command.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";

export const artifactRemove = defineCommand({
  name: "artifact remove",
  summary: "remove an artifact from the server",
  about: [
    "Removes an artifact that no plan names which has not ended; a plan that is open keeps it. Hosts that have the program go on with it. It can be brought again: the same file has the same id.",
    "It needs the scope plan:create, and plan:read.",
    connectionAbout,
  ],
  examples: [{ why: "Make room", run: "gatehouse artifact remove tool@1.2.2" }],
  arguments: { artifact: artifactArgument },
  flags: {},
  run: async ({ artifact: named }, surroundings) => {
    const connection = await openConnection(surroundings);
    const artifact = await getNamedArtifact(connection, named);
    const { id, name, version } = artifact;
    await connection.call(removeArtifactRoute, { params: { id } });
    return { ok: true, lines: [`Removed ${sayArtifact(artifact)}, ${id}.`], json: { removed: { id, name, version } } };
  },
});
