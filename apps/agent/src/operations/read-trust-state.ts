import type { TrustState } from "@gatehouse/plan";
import { acceptsOf, type Ceiling } from "../ceiling/ceiling.ts";
import { agentPaths } from "../config.ts";
import { rootOwner } from "../host/need-root.ts";
import { findTrust } from "../trust/read-trust.ts";

/** Whose word this host takes: what an approver has to know before signing, in the host's own name. */
export function readTrustState(root: string, ceiling: Ceiling): TrustState {
  const found = findTrust({ paths: agentPaths(root), owner: rootOwner(root) });
  return { accepts: acceptsOf(ceiling), trust: found.t === "sound" ? found.bytes.toBase64() : null };
}
