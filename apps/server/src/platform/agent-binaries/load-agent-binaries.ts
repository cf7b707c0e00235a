import { createReadStream, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type AgentArchitecture, agentArchitectures, sha256Hex } from "@gatehouse/contract";
import * as z from "zod";

export interface AgentFile {
  /** Of the compressed file, in bytes. */
  readonly length: number;
  open(): AsyncIterable<Uint8Array>;
}

export interface AgentBinaries {
  readonly version: string;
  /** Digest and size of the program itself, not of the compressed file. */
  readonly items: readonly { readonly arch: AgentArchitecture; readonly sha256: string; readonly size: number }[];
  find(arch: AgentArchitecture): AgentFile | undefined;
}

const digestsFile = z.partialRecord(
  z.enum(agentArchitectures),
  z.strictObject({ sha256: sha256Hex, size: z.int(), gzipSize: z.int() }),
);
const built = join(import.meta.dirname, "../../../../../dist/agent");

/** What was built, if anything was: a server without it serves everything but downloads. */
export function loadAgentBinaries(version: string, directory = built): AgentBinaries {
  const digests = readDigests(join(directory, "digests.json"));
  const files = new Map<AgentArchitecture, AgentFile>();
  const items = agentArchitectures.flatMap((arch) => {
    const known = digests[arch];
    const path = join(directory, arch, "gatehouse-agent.gz");
    // Half a build serves nothing: the digests are written last.
    if (known === undefined || sizeOf(path) !== known.gzipSize) return [];
    files.set(arch, { length: known.gzipSize, open: () => createReadStream(path) as AsyncIterable<Uint8Array> });
    return [{ arch, sha256: known.sha256, size: known.size }];
  });
  return { version, items, find: (arch) => files.get(arch) };
}

function readDigests(path: string): z.output<typeof digestsFile> {
  try {
    return digestsFile.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return {};
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? -1;
}
