import { onTestFinished } from "vitest";
import { answerStates } from "../support/answer-states.ts";
import { enrolFakeHost } from "../support/fake-host.ts";
import { PretendHost } from "../support/pretend-host.ts";
import type { TellState } from "../support/pretend-state.ts";
import type { EnrolledNode } from "./enrol-nodes.ts";
import type { Operator } from "./plugin-yard.ts";

/** Enrols a host that stays connected and says of itself what `tell` says, until the test is over. */
export async function connectHost(operator: Operator, name: string, tell: TellState): Promise<EnrolledNode> {
  const made = await operator.post("/api/nodes/enrolments", { name });
  if (made.status !== 201) throw new Error(`the code for ${name} was answered ${made.status}: ${made.text}`);
  const [{ code } = { code: "" }] = made.json["items"] as { code: string }[];
  const host = new PretendHost(name);
  const enrolled = await enrolFakeHost(operator.server.baseUrl, code, { host });
  const features = ["state", "task"];
  const connection = await enrolled.hello({
    body: { agentVersion: "0.2.1-alpha.1", cursor: { acked: 0, last: 0 }, features },
  });
  onTestFinished(() => connection.close());
  await connection.sendFacts({ mode: "managed" });
  answerStates(connection, host, tell);
  return { id: host.nodeId, name, tags: [] };
}
