import { decodeBase64url, type FrameOf, outcomeBody, readOutcome } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract";
import { isSignedBy, loadPublicKey, nodeIdOf, signatureLength } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import type { RequestFacts } from "../../platform/route/index.ts";
import type { FleetDeps, ToldOutcome } from "./fleet-deps.ts";
import { moveCursor } from "./take-event.ts";

/**
 * Takes what a host signed about the end of a change. Whoever has the network part of a host can send anything here, and cannot
 * sign: what the host key did not sign for this very node is not believed, and ends the connection.
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
  if (outcome.nodeId !== nodeId || nodeIdOf(outcome.hostKey) !== nodeId) {
    throw fault("frame.malformed", "the outcome is of another node");
  }
  if (!isSignedBy(loadPublicKey(outcome.hostKey, "the host key"), framed, signatures[0])) {
    throw fault("frame.malformed", "the outcome is not signed by this node's host key");
  }
  return { outcome, signed };
}
