import { count, table } from "@gatehouse/command-line";
import { artifactsRoute } from "@gatehouse/contract/routes";
import { artifactHead, artifactRow } from "../artifacts/describe-artifact.ts";
import { artifactsPage, mostArtifacts } from "../artifacts/find-artifact.ts";
import { defineCommand } from "../command.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson, listAll } from "../server/list-all.ts";

export const artifactList = defineCommand({
  name: "artifact list",
  summary: "list the programs and releases that plans can name",
  about: [
    "Shows every artifact on the server, the newest first: what it is called, for which processor it is, whose it is, and whether all of it has arrived; times are UTC. One that does not arrive within a day is removed. The digits are the last of the id, and name the artifact in other commands. It needs the scope plan:read.",
    connectionAbout,
  ],
  examples: [
    { why: "See what is there", run: "gatehouse artifact list" },
    { why: "Take it in a script", run: "gatehouse artifact list --json" },
  ],
  flags: {},
  run: async (_given, surroundings) => {
    const connection = await openConnection(surroundings);
    const { items, more } = await listAll(connection, artifactsRoute, { most: mostArtifacts, pageSize: artifactsPage });
    return {
      ok: true,
      lines: [
        `${count(items.length, "artifact")} at ${connection.server.origin}${more ? "; there are more" : ""}`,
        ...(items.length === 0 ? [] : table(artifactHead, items.map(artifactRow))),
      ],
      json: { items: items.map(asJson), more },
    };
  },
});
