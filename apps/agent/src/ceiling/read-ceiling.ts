import { findOwnedFile } from "../host/read-owned-file.ts";
import { type Ceiling, defaultCeiling, parseCeiling } from "./ceiling.ts";

/** The ceiling of this host. Without a file nothing may be changed; a file that is not sound is no ceiling, and throws. */
export function readCeiling(path: string, owner: number): { readonly ceiling: Ceiling; readonly isWritten: boolean } {
  const bytes = findOwnedFile({ path, owner, forbidden: 0o077, unsafe: "ceiling.unsafe" });
  if (bytes === undefined) return { ceiling: defaultCeiling, isWritten: false };
  return { ceiling: parseCeiling(bytes), isWritten: true };
}
