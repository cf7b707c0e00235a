import { readFileSync } from "node:fs";
import { hostname, networkInterfaces, release } from "node:os";
import { join } from "node:path";
import type { HostFacts } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import { digestFile } from "../local/digest-file.ts";
import { sayableHostName } from "../local/host-name.ts";

/** What the helper finds out about its host; the mode is the ceiling's. */
export type OwnFacts = Omit<HostFacts, "mode">;

export interface OwnFactsPlace {
  readonly root: string;
  readonly agentVersion: string;
  /** This very program; `/proc/self/exe` on a host. */
  readonly program: string;
}

/** Gives what is so now; the program is hashed once, because it cannot change while it runs. */
export function openOwnFacts({ root, agentVersion, program }: OwnFactsPlace): () => Promise<OwnFacts> {
  let digest: Promise<string> | undefined;
  return async () => {
    digest ??= digestFile(program);
    return {
      agentSha256: await digest,
      agentVersion,
      arch: ownArchitecture(),
      hostname: sayableHostName(hostname()),
      kernel: release().slice(0, 128),
      os: systemName(root),
    };
  };
}

/** Every address by which this host can be reached, in an order of its own. */
export function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const outside = all.filter(({ internal, address }) => !internal && !address.startsWith("fe80:"));
  return [...new Set(outside.map(({ address }) => address))].sort().slice(0, 64);
}

function ownArchitecture(): HostFacts["arch"] {
  const { arch } = process;
  if (arch === "x64" || arch === "arm64") return arch;
  throw fault("host.unsuitable", `expected x64 or arm64, found ${arch}`);
}

function systemName(root: string): string {
  try {
    const text = readFileSync(join(root, "etc/os-release"), "utf8");
    const found = /^PRETTY_NAME="?([^"\n]*)"?$/m.exec(text)?.[1];
    return (found ?? "unknown").replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 128);
  } catch {
    // Some systems have none; that is no reason to stay silent about the rest.
    return "unknown";
  }
}
