import { parseTrust, type Trust } from "@gatehouse/approval/verify";
import { fault, isFault } from "@gatehouse/contract/faults";
import type { AgentPaths } from "../config.ts";
import { findOwnedFile } from "../host/read-owned-file.ts";

export interface TrustPlace {
  readonly paths: Pick<AgentPaths, "trust">;
  readonly owner: number;
}

/** The bytes of the file that names this host's approvers; undefined when there is none. Throws when others could have written it. */
export function findTrustBytes({ paths, owner }: TrustPlace): Uint8Array | undefined {
  return findOwnedFile({ path: paths.trust, owner, forbidden: 0o022, unsafe: "trust.unsound" });
}

/** Whom this host believes. A file that is not wholly as it has to be is not believed at all. */
export function readTrust(place: TrustPlace): Trust {
  const bytes = findTrustBytes(place);
  if (bytes === undefined) throw fault("trust.none", `expected ${place.paths.trust}, found no such file`);
  try {
    return parseTrust(bytes);
  } catch (error) {
    if (!isFault(error)) throw error;
    throw fault("trust.unsound", `${place.paths.trust}: ${error.code}: ${error.detail}`, { cause: error });
  }
}
