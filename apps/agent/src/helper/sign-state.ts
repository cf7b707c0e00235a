import type { JsonObject } from "@gatehouse/base";
import { channelLimits, encodeBase64url, stateAnswerFrame } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import { signBytes } from "@gatehouse/keys";
import { joinSigned } from "@gatehouse/keys/frame";
import * as z from "zod";
import { getHostIdentity } from "../local/host-key.ts";
import { stateKeyOf } from "../local/state-key.ts";
import type { HelperDeps } from "./helper-deps.ts";
import { bytesOf } from "./local-fields.ts";

export const stateFields = z.strictObject({
  request: bytesOf(32),
  subjects: z.array(z.string().max(600)).min(1).max(channelLimits.stateSubjects),
});

/** What parts of the host are like, in the host's own name and for this question alone. One question at a time. */
export async function signState(
  deps: HelperDeps,
  { request, subjects }: z.output<typeof stateFields>,
): Promise<JsonObject> {
  if (!deps.minutes.states.take()) {
    throw fault("read.rate", `expected at most ${channelLimits.statesPerMinute} questions a minute`);
  }
  return deps.inTurn(["state"], async () => {
    const { key, publicKey: hostKey, nodeId } = getHostIdentity(deps);
    const states = await deps.readStates({ subjects, privateKey: stateKeyOf(key) });
    const framed = stateAnswerFrame({ nodeId, hostKey, request, at: deps.clock.now(), states });
    const signed = joinSigned(framed, signBytes(key, framed));
    if (signed.byteLength > channelLimits.stateBytes) {
      const [largest] = states.toSorted((one, other) => sizeOf(other) - sizeOf(one));
      const limit = `expected an answer of at most ${channelLimits.stateBytes} bytes, found ${signed.byteLength}`;
      throw fault("read.limit", `${largest?.subject ?? "nothing"}: ${limit}`);
    }
    return { signed: encodeBase64url(signed) };
  });
}

function sizeOf(state: object): number {
  return JSON.stringify(state).length;
}
