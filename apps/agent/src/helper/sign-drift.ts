import type { JsonObject } from "@gatehouse/base";
import { channelLimits, driftFrame, encodeBase64url } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import { signBytes } from "@gatehouse/keys";
import { joinSigned } from "@gatehouse/keys/frame";
import { getHostIdentity } from "../local/host-key.ts";
import { stateKeyOf } from "../local/state-key.ts";
import type { HelperDeps } from "./helper-deps.ts";

/**
 * What of all that was confirmed here is not as it was, in the host's own name. Whoever asks names nothing: what is looked at follows
 * from the host's own journal and its ceiling. Signed when every part has had its turn.
 */
export async function signDrift(deps: HelperDeps): Promise<JsonObject> {
  if (!deps.minutes.drifts.take()) {
    throw fault("read.rate", `expected at most ${channelLimits.driftsPerMinute} looks a minute`);
  }
  return deps.inTurn(["drift"], async () => {
    const { key, publicKey: hostKey, nodeId } = getHostIdentity(deps);
    const { left, number, drift } = await deps.readDrift({ changes: deps.changes, privateKey: stateKeyOf(key) });
    if (left > 0) return { left };
    const framed = driftFrame({ nodeId, hostKey, number, at: deps.clock.now(), drift });
    return { left, signed: encodeBase64url(joinSigned(framed, signBytes(key, framed))) };
  });
}
