import type { ServerResponse } from "node:http";
import { joinToken } from "@gatehouse/contract";
import { announcedArtifact, type Artifact } from "@gatehouse/contract/routes";
import { sampleArtifact } from "./sample-artifact.ts";
import { type Received, sendJson, sendProblem, startSmallServer } from "./small-server.ts";

const token = joinToken("a".repeat(16), "b".repeat(43));

interface Behaviour {
  /** What was there before. */
  readonly items?: readonly Artifact[];
  /** Parts that are taken; the next one is refused as a disk that is full. */
  readonly most?: number;
  /** What it says of an artifact in the place of what is so. */
  readonly says?: Partial<Artifact>;
}

/** A server that keeps artifacts of text, in parts of eight bytes, as the real one does. */
export async function startArtifactServer({ items = [], most = Number.POSITIVE_INFINITY, says = {} }: Behaviour = {}) {
  const kept = new Map(items.map((one) => [one.id, one]));
  const texts: string[] = [];
  let taken = 0;
  const send = (response: ServerResponse, artifact: Artifact, status = 200) => {
    kept.set(artifact.id, artifact);
    sendJson(response, status, { ...artifact, ...says });
  };
  const announce = (response: ServerResponse, body: string) => {
    const announced = announcedArtifact.parse(JSON.parse(body));
    const known = [...kept.values()].find(({ sha256 }) => sha256 === announced.sha256);
    if (known !== undefined) return send(response, known);
    const { wholeAt: _, ...sample } = sampleArtifact({
      ...announced,
      id: `artifact_${announced.sha256.slice(0, 26)}`,
      publisher: announced.kind === "binary" ? announced.publisher : undefined,
      parts: [],
      state: "arriving",
    });
    send(response, sample, 201);
  };
  const keep = (response: ServerResponse, artifact: Artifact, number: number, body: string) => {
    if (taken >= most) return sendProblem(response, 507, "store.disk_full");
    taken += 1;
    texts[number] = body;
    const parts = [...new Set([...artifact.parts, number])].toSorted((a, b) => a - b);
    send(response, { ...artifact, parts, state: parts.length * 8 >= artifact.size ? "whole" : "arriving" });
  };
  const answer = (response: ServerResponse, { method, path, body }: Received) => {
    const [, , , id = "", , number] = path.split("?")[0]?.split("/") ?? [];
    const artifact = kept.get(id);
    if (id === "" && method === "POST") return announce(response, body);
    if (id === "") return sendJson(response, 200, { items: [...kept.values()], nextCursor: null });
    if (artifact === undefined) return sendProblem(response, 404, "artifact.unknown");
    if (method === "PUT") return keep(response, artifact, Number(number), body);
    if (method === "GET") return sendJson(response, 200, { ...artifact, ...says });
    kept.delete(id);
    response.writeHead(204).end();
  };
  const server = await startSmallServer(answer);
  return { server, kept, texts, environment: { GATEHOUSE_TOKEN: token, GATEHOUSE_SERVER: server.url.origin } };
}
