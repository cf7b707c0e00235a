import { isFault } from "@gatehouse/contract/faults";
import type { AgentPaths } from "../config.ts";
import { findOwnedFile } from "../host/read-owned-file.ts";
import { acceptsOf, type Ceiling, defaultCeiling, parseCeiling } from "./ceiling.ts";

export interface CeilingPlace {
  readonly paths: Pick<AgentPaths, "ceiling">;
  readonly owner: number;
}

/** The ceiling of this host. Without a file nothing may be changed; a file that is not sound is no ceiling, and throws. */
export function readCeiling(path: string, owner: number): { readonly ceiling: Ceiling; readonly isWritten: boolean } {
  const bytes = findOwnedFile({ path, owner, forbidden: 0o077, unsafe: "ceiling.unsafe" });
  if (bytes === undefined) return { ceiling: defaultCeiling, isWritten: false };
  return { ceiling: parseCeiling(bytes), isWritten: true };
}

/** Whose word counts, for people to read. A ceiling that cannot be believed takes nobody's; null when only root could tell. */
export function findAccepts({ paths, owner }: CeilingPlace): ReturnType<typeof acceptsOf> | null {
  try {
    return acceptsOf(readCeiling(paths.ceiling, owner).ceiling);
  } catch (error) {
    if (!isFault(error)) throw error;
    return error.code === "host.not_root" ? null : "none";
  }
}
