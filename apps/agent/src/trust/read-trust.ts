import { parseTrust, type Trust } from "@gatehouse/approval/verify";
import { fault, isFault } from "@gatehouse/contract/faults";
import type { AgentPaths } from "../config.ts";
import { findOwnedFile } from "../host/read-owned-file.ts";

export interface TrustPlace {
  readonly paths: Pick<AgentPaths, "trust">;
  readonly owner: number;
}

/** Whom a host believes, as far as there is a file that can be believed. */
export type FoundTrust =
  | { readonly t: "none" }
  | { readonly t: "unsound"; readonly why: string }
  | { readonly t: "sound"; readonly trust: Trust; readonly bytes: Uint8Array };

/** For those who show it or tell of it. Whoever acts by it uses `readTrust`. */
export function findTrust({ paths, owner }: TrustPlace): FoundTrust {
  try {
    const bytes = findOwnedFile({ path: paths.trust, owner, forbidden: 0o022, unsafe: "trust.unsound" });
    return bytes === undefined ? { t: "none" } : { t: "sound", trust: parseTrust(bytes), bytes };
  } catch (error) {
    if (!isFault(error)) throw error;
    const { code, detail } = error;
    return { t: "unsound", why: code === "trust.unsound" ? detail : `${paths.trust}: ${code}: ${detail}` };
  }
}

/** Whom this host believes. A file that is not wholly as it has to be is not believed at all. */
export function readTrust(place: TrustPlace): Trust {
  const found = findTrust(place);
  if (found.t === "none") throw fault("trust.none", `expected ${place.paths.trust}, found no such file`);
  if (found.t === "unsound") throw fault("trust.unsound", found.why);
  return found.trust;
}
