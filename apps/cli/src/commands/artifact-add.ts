import { count } from "@gatehouse/command-line";
import { fault } from "@gatehouse/contract";
import { announceArtifactRoute, type Artifact, artifactBytes } from "@gatehouse/contract/routes";
import type { ArtifactFacts } from "@gatehouse/plan";
import { openArtifactFile, withArtifactFile } from "../artifacts/artifact-file.ts";
import { lackingParts, partCount } from "../artifacts/artifact-parts.ts";
import { bringParts } from "../artifacts/bring-parts.ts";
import { sayArrival } from "../artifacts/describe-artifact.ts";
import { sayArtifact } from "../artifacts/describe-facts.ts";
import { factsBeside, readArtifactFacts } from "../artifacts/facts-file.ts";
import { defineCommand } from "../command.ts";
import { type Connection, connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";
import { unexpected } from "../server/send-request.ts";

const topic = "artifact add";

export const artifactAdd = defineCommand({
  name: topic,
  summary: "bring a signed program or release to the server, so that plans can name it",
  about: [
    "Reads the facts that gatehouse artifact sign has written, and refuses a file that is another than they say. Then it announces the file and sends it in parts of 32 MiB, with a line for each, until it is whole on the server. What was brought before is not sent again.",
    "Ended in the middle, by Ctrl-C or by a lost connection, it goes on where it was when the same command is run again within a day; later the server has forgotten the parts.",
    "The server cannot tell whether the signature is right: it has no key of the publisher. Hosts check it, with the key that their root has named, and of a release of the agent with the one that their agent was built with. It needs the scope plan:create.",
    "With --json the first line holds the artifact, and each line after it one part; the last one has ok. An artifact that was whole already is one line.",
    connectionAbout,
  ],
  examples: [
    { why: "Bring a program, with its facts beside it", run: "gatehouse artifact add tool" },
    { why: "Its facts stand elsewhere", run: "gatehouse artifact add tool --facts release/tool.json" },
    { why: "Bring a release of the agent", run: "gatehouse artifact add gatehouse-agent" },
  ],
  arguments: { file: { value: "FILE", about: "The program." } },
  flags: {
    facts: { value: "FILE", about: "What was signed of it. Without it, beside the program as FILE.artifact.json." },
  },
  run: async ({ file, facts: factsFile = factsBeside(file) }, surroundings) => {
    const facts = await readArtifactFacts(factsFile, topic);
    await withArtifactFile(file, topic, (found) => Promise.resolve(checkFile(file, found, facts)));
    const connection = await openConnection(surroundings);
    const { data } = await connection.call(announceArtifactRoute, { body: facts });
    checkAnswer(connection, data, facts);
    const json = { artifact: asJson(data) };
    const what = `${sayArtifact(data)} (${data.id})`;
    if (data.state === "whole") return { ok: true, lines: [`${what} was here already, whole.`], json };
    const left = count(lackingParts(data).length, "part");
    return {
      ok: true,
      lines: [`${what}: ${sayArrival(data)} here, ${left} to send; Ctrl-C stops it, the same command goes on`],
      json,
      later: bringParts({ connection, open: () => openArtifactFile(file, topic) }, data),
    };
  },
});

/** What is sent for nothing would be found out only when all of it has arrived. */
function checkFile(file: string, found: Pick<ArtifactFacts, "sha256" | "size">, facts: ArtifactFacts): void {
  if (found.size !== facts.size) {
    throw fault("cli.artifact_differs", `${file}: expected ${facts.size} bytes, found ${found.size}`);
  }
  if (found.sha256 !== facts.sha256) {
    throw fault("cli.artifact_differs", `${file}: expected the sha256 ${facts.sha256}, found ${found.sha256}`);
  }
}

function checkAnswer({ server }: Pick<Connection, "server">, found: Artifact, { sha256, size }: ArtifactFacts): void {
  if (found.sha256 !== sha256 || found.size !== size) throw unexpected(server, "it answered for another artifact");
  const { partSize } = found;
  const isSound = partSize >= 1 && partSize <= artifactBytes.part && partCount(found) <= mostParts;
  if (!isSound) throw unexpected(server, `it wants parts of ${partSize} bytes`);
}

/** As many as the route numbers. */
const mostParts = 100;
