import { createHash } from "node:crypto";
import { type JsonObject, writeCanonicalJson } from "@gatehouse/base";
import { ceilingFrame, encodeBase64url, factsFrame } from "@gatehouse/channel";
import { signBytes } from "@gatehouse/keys";
import { joinSigned } from "@gatehouse/keys/frame";
import { putHelperCounters, readHelperCounters } from "./helper-counters.ts";
import type { HelperDeps } from "./helper-deps.ts";
import { getHostIdentity } from "../local/host-key.ts";
import { findTrust } from "../trust/read-trust.ts";

/** So long the same facts are the same message. */
const freshMs = 60_000;

/** What this host is, in its own name. The number is on the disk before the message leaves: none is given twice for two messages. */
export function signFacts(deps: HelperDeps): Promise<JsonObject> {
  return deps.inTurn(["counters"], async () => {
    const identity = getHostIdentity(deps);
    const ceiling = deps.readCeiling();
    const facts = { ...(await deps.readFacts()), mode: ceiling.level };
    const ceilingDigest = createHash("sha256").update(ceilingFrame(ceiling)).digest();
    const beside = { ceilingDigest: ceilingDigest.toString("hex"), addresses: [...deps.readAddresses()] };
    const trustDigest = findTrustDigest(deps);
    const trust = trustDigest.toHex();
    const about = writeCanonicalJson({ nodeId: identity.nodeId, facts, ceiling: beside.ceilingDigest, trust });
    const now = deps.clock.monotonic();
    const { said } = deps.lastFacts;
    if (said?.about === about && now - said.at < freshMs) return { signed: said.signed, ...beside };
    const counters = readHelperCounters(deps);
    const number = counters.facts + 1;
    await putHelperCounters(deps, { ...counters, facts: number });
    const { nodeId, publicKey: hostKey, key } = identity;
    const at = deps.clock.now();
    const framed = factsFrame({ nodeId, hostKey, number, at, ceilingDigest, trustDigest, facts });
    const signed = encodeBase64url(joinSigned(framed, signBytes(key, framed)));
    deps.lastFacts.said = { about, at: now, signed };
    return { signed, ...beside };
  });
}

/** Empty without a trust file that is believed. Why one is not is said once, not at every beat. */
function findTrustDigest(deps: HelperDeps): Uint8Array {
  const found = findTrust(deps);
  const why = found.t === "unsound" ? found.why : undefined;
  if (why !== undefined && why !== deps.lastFacts.untrusted) deps.log(`the trust file is not believed: ${why}`);
  deps.lastFacts.untrusted = why;
  return found.t === "sound" ? Uint8Array.fromHex(found.trust.digest) : new Uint8Array();
}
