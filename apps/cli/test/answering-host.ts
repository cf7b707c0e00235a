import { parseEnrolCode } from "@gatehouse/channel";
import { enrolFakeHost, type FakeConnection, FakeRefusal, helloOf } from "../../../tests/support/fake-host.ts";
import { PretendHost } from "../../../tests/support/pretend-host.ts";
import { sha256Of } from "../src/sha256-of.ts";
import type { FrontedServer } from "./fronted-server.ts";
import type { Person } from "./gatehouse.ts";

interface AnsweringHost {
  readonly name: string;
  readonly tag: string;
  /** What its parts are like; those that are not named are not there. */
  readonly states: Parameters<PretendHost["states"]>[1];
}

/** A host without a machine that is connected and answers whoever asks what it is like, until its connection ends. */
export async function newAnsweringHost(fronted: FrontedServer, person: Person, { name, tag, states }: AnsweringHost) {
  const made = await person.json(`node enrol --digest ${fronted.agent} --name ${name} --tag ${tag}`);
  const [{ code } = { code: "" }] = made["items"] as readonly { readonly code: string }[];
  const host = new PretendHost(name);
  await enrolFakeHost(fronted.server.url, code, { host });
  const body = { agentVersion: "1.0.0", cursor: { acked: 0, last: 0 }, features: ["state"] };
  const connection = await helloOf(fronted.server.url, parseEnrolCode(sha256Of, code).server, host, { body });
  await connection.sendFacts();
  connection.keepBeating();
  const answering = answerAll(connection, host, states);
  return { id: host.nodeId, close: () => Promise.all([connection.close(), answering]) };
}

async function answerAll(connection: FakeConnection, host: PretendHost, states: AnsweringHost["states"]) {
  const next = () =>
    connection.next().catch((error: unknown) => {
      // The test closes the connection when it is done with the host.
      if (error instanceof FakeRefusal) return undefined;
      throw error;
    });
  for (let frame = await next(); frame !== undefined; frame = await next()) {
    if (frame.t !== "want-state") continue;
    for (const piece of host.states(frame, states)) connection.send(piece);
  }
}
