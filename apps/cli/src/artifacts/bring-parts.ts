import { count, type LaterFinding } from "@gatehouse/command-line";
import { fault } from "@gatehouse/contract";
import { type Artifact, putArtifactPartRoute } from "@gatehouse/contract/routes";
import type { Connection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";
import type { OpenArtifactFile } from "./artifact-file.ts";
import { arrivedBytes, lackingParts, partCount, placeOfPart } from "./artifact-parts.ts";
import { sayBytes } from "./describe-artifact.ts";
import { sayArtifact } from "./describe-facts.ts";

/** The server takes a part for ten minutes, and joins all of them with the last. */
const limitMs = 12 * 60_000;

export interface BringDeps {
  readonly connection: Pick<Connection, "call">;
  readonly open: () => Promise<OpenArtifactFile>;
}

/** Sends the parts that a server lacks, one after the other, and says so of each. The last finding says how it ended. */
export async function* bringParts({ connection, open }: BringDeps, artifact: Artifact): AsyncGenerator<LaterFinding> {
  const file = await open();
  let now = artifact;
  try {
    for (const number of lackingParts(artifact)) {
      const bytes = await readPart(file, artifact, number);
      const params = { id: artifact.id, number: String(number) };
      ({ data: now } = await connection.call(putArtifactPartRoute, { params, bytes, limitMs }));
      yield sayPart(now, number);
    }
  } finally {
    await file.close();
  }
  const ok = now.state === "whole";
  const words = ok
    ? `${sayArtifact(now)} is whole: ${now.id}`
    : `${sayArtifact(now)} is not whole: somebody else brings it too, or removed it. Run the command again.`;
  yield { ok, lines: [words], json: { change: "end", words, ok, artifact: asJson(now) } };
}

async function readPart(file: OpenArtifactFile, artifact: Artifact, number: number): Promise<Uint8Array<ArrayBuffer>> {
  const { at, length } = placeOfPart(artifact, number);
  const bytes = await file.read(at, length);
  if (bytes.byteLength === length) return bytes;
  const found = `found ${bytes.byteLength}: the file became shorter`;
  throw fault("cli.artifact_differs", `expected ${length} bytes from ${at} on, ${found}`);
}

function sayPart(now: Artifact, number: number): LaterFinding {
  const [there, of] = [now.parts.length, partCount(now)];
  const words = `${there} of ${count(of, "part")}, ${sayBytes(arrivedBytes(now))} of ${sayBytes(now.size)}`;
  return { lines: [`  ${words}`], json: { change: "part", words, number, parts: there, of } };
}
