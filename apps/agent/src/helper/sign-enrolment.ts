import type { JsonObject } from "@gatehouse/base";
import { encodeBase64url, enrolRequestBody, enrolRequestFrame, protocolVersions } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import { loadPublicKey, signBytes } from "@gatehouse/keys";
import { isSameBytes } from "@gatehouse/keys/frame";
import * as z from "zod";
import { hasEnrolMarker } from "../local/enrol-marker.ts";
import type { HelperDeps } from "./helper-deps.ts";
import { findHostIdentity, getHostIdentity } from "../local/host-key.ts";
import { bytesOf } from "./local-fields.ts";
import { nextPlace } from "../local/next-place.ts";
import { findPinnedServer } from "../local/server-file.ts";

export const enrolFields = z.strictObject({
  server: bytesOf(32),
  codeId: bytesOf(16),
  nonce: bytesOf(32),
  channelKey: bytesOf(32),
  body: enrolRequestBody,
});

/** The host key's half of an enrolment. Only while root enrols this host, and only with the server that root was given. */
export async function signEnrolment(deps: HelperDeps, asked: z.output<typeof enrolFields>): Promise<JsonObject> {
  if (!hasEnrolMarker(deps, deps.clock.now())) throw fault("enrol.marker", "root has not begun one, or long ago");
  const next = nextPlace(deps);
  const known = findPinnedServer(next);
  if (known === undefined || !isSameBytes(known.key, asked.server)) {
    throw fault("enrol.server_key", "expected the key of the server that root enrols with, found another");
  }
  loadPublicKey(asked.channelKey, "the channel key");
  const { key, publicKey: hostKey, nodeId } = getHostIdentity(findHostIdentity(next) === undefined ? deps : next);
  const framed = enrolRequestFrame({ version: protocolVersions.max, hostKey, ...asked });
  return { nodeId, hostKey: encodeBase64url(hostKey), signature: encodeBase64url(signBytes(key, framed)) };
}
