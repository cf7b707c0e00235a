import type { JsonObject } from "@gatehouse/base";
import { channelKeyFrame, encodeBase64url } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import { loadPublicKey, signBytes } from "@gatehouse/keys";
import { joinSigned } from "@gatehouse/keys/frame";
import * as z from "zod";
import { putHelperCounters, readHelperCounters } from "./helper-counters.ts";
import type { HelperDeps } from "./helper-deps.ts";
import { getHostIdentity } from "../local/host-key.ts";
import { bytesOf } from "./local-fields.ts";

export const channelFields = z.strictObject({ channelKey: bytesOf(32) });

const dayMs = 24 * 60 * 60_000;

/** A new channel key in the name of this host: one a day. The same one again is the same message, for an answer that got lost. */
export function signChannelKey(deps: HelperDeps, asked: z.output<typeof channelFields>): Promise<JsonObject> {
  return deps.inTurn(["counters"], async () => {
    const { key, publicKey: hostKey, nodeId } = getHostIdentity(deps);
    loadPublicKey(asked.channelKey, "the channel key");
    const counters = readHelperCounters(deps);
    const text = encodeBase64url(asked.channelKey);
    const now = deps.clock.now();
    const last = counters.channel;
    const isSame = last?.key === text;
    // A clock that stood a day or more ahead when it was written says nothing about today.
    if (last !== undefined && !isSame && Math.abs(now - last.at) < dayMs) {
      throw fault("local.limit", "expected one channel key a day, found another one");
    }
    const at = isSame ? last.at : now;
    if (!isSame) await putHelperCounters(deps, { ...counters, channel: { key: text, at } });
    const framed = channelKeyFrame({ nodeId, hostKey, channelKey: asked.channelKey, at });
    return { signed: encodeBase64url(joinSigned(framed, signBytes(key, framed))) };
  });
}
