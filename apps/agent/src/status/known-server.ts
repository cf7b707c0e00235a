import { parseStrictJsonBytes } from "@gatehouse/base";
import { fault } from "@gatehouse/contract/faults";
import { findOwnedFile } from "../host/read-owned-file.ts";

export interface KnownServer {
  readonly url: string;
  /** Absent until the exchange has ended well. */
  readonly nodeId?: string;
}

/** The server that root enrolled this host with, for people to read; undefined when there is none. */
export function findKnownServer(path: string, owner: number): KnownServer | undefined {
  const bytes = findOwnedFile({ path, owner, forbidden: 0o022, unsafe: "agent.file_unusable" });
  if (bytes === undefined) return undefined;
  const json = parseStrictJsonBytes(bytes);
  if (!json.ok) throw fault("agent.file_unusable", `${path} is not strict JSON: ${json.reason}`);
  const { url, nodeId } = (json.value ?? {}) as { readonly url?: unknown; readonly nodeId?: unknown };
  if (typeof url !== "string") throw fault("agent.file_unusable", `${path} has no url`);
  return { url, ...(typeof nodeId === "string" ? { nodeId } : {}) };
}
