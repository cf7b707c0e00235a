import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentArchitecture, agentArchitectures, sha256Hex } from "@gatehouse/contract";
import { isOneFile } from "../own-program.ts";

export type AgentDigests = Partial<Record<AgentArchitecture, string>>;

/** The program that is one file was built with no agent, and what lies around it is nobody's word. */
const built = isOneFile ? "" : join(import.meta.dirname, "../../../../dist/agent/digests.json");

/** The digests of the agents that were built with this command line; none where no agent was built. */
export function readBuiltDigests(file = built): AgentDigests {
  const rows = readRows(file);
  return Object.fromEntries(
    agentArchitectures.flatMap((arch) => {
      const digest = sha256Hex.safeParse(rows[arch]?.sha256);
      return digest.success ? [[arch, digest.data]] : [];
    }),
  );
}

/** A file that is missing or not ours is no digest: whoever needs one is told so. */
function readRows(file: string): Partial<Record<AgentArchitecture, { readonly sha256?: unknown } | null>> {
  try {
    const read: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof read === "object" && read !== null ? read : {};
  } catch {
    return {};
  }
}
