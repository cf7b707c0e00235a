import { decodeBase64url, type FrameOf, outcomeBody, readOutcome } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract";
import { isSignedBy, loadPublicKey, nodeIdOf, signatureLength } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import type { RequestFacts } from "../../platform/route/index.ts";
import type { FleetDeps, ToldOutcome } from "./fleet-deps.ts";
import { moveCursor } from "./take-event.ts";

/**
 * Takes what a host signed about the end of a change. Whoever has the network part of a host can send anything here, and cannot
 * sign: what no host key has signed ends the connection. What another node has signed is handed on as its word and ends nothing: a host
 * with a new identity may still hold it, and could never be heard again if it ended its connection each time.
 */
export async function takeSignedOutcome(
  { takeOutcome }: Pick<FleetDeps, "takeOutcome">,
  nodeId: string,
  sent: FrameOf<"out">,
  request: RequestFacts,
): Promise<void> {
  const told = judgeOutcome(nodeId, sent.body);
  await takeOutcome(told, request, async (read) => [(await moveCursor(read, nodeId, sent.seq)).cursor]);
}

function judgeOutcome(nodeId: string, body: unknown): ToldOutcome {
  const signed = outcomeBody.safeParse(body).data?.signed ?? "";
  const message = readSigned(decodeBase64url(signed), [signatureLength], readOutcome);
  if (message === undefined) throw fault("frame.malformed", "the body is none of an outcome");
  const { value: outcome, framed, signatures } = message;
  if (nodeIdOf(outcome.hostKey) !== outcome.nodeId) throw fault("frame.malformed", "the outcome is of another key");
  if (!isSignedBy(loadPublicKey(outcome.hostKey, "the host key"), framed, signatures[0])) {
    throw fault("frame.malformed", "the outcome is not signed by its host key");
  }
  return { from: nodeId, outcome, signed };
}
