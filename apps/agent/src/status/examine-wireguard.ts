import { existsSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "@gatehouse/contract/faults";
import { modprobeWords, wgWords, wireguardGoVersion } from "@gatehouse/plan";
import { entriesOf } from "../ceiling/describe-ceiling.ts";
import { readCeiling } from "../ceiling/read-ceiling.ts";
import type { AgentPaths } from "../config.ts";
import type { RunOnHost } from "../host/run-on-host.ts";
import { badFinding, type Finding, goodFinding } from "./finding.ts";

const name = "wireguard";

/** Where the ceiling names an interface: whether this host could make one. */
export async function examineWireguard(deps: {
  readonly paths: AgentPaths;
  readonly owner: number;
  readonly run: RunOnHost;
}): Promise<Finding[]> {
  if (!allowsInterfaces(deps)) return [];
  const { run } = deps;
  if ((await run("wg", wgWords.version)).code !== 0)
    return [badFinding(name, "the ceiling names an interface, and wg is not there", "Install wireguard-tools.")];
  const isLoaded = existsSync(join(deps.paths.root, "sys/module/wireguard"));
  if (isLoaded || (await run("modprobe", modprobeWords)).code === 0)
    return [goodFinding(name, "wg is there, and the kernel knows WireGuard")];
  if ((await run("wireguard-go", wireguardGoVersion)).code === 0)
    return [goodFinding(name, "wg is there, and wireguard-go in place of the kernel")];
  return [
    badFinding(
      name,
      "the ceiling names an interface, and neither the kernel nor wireguard-go could make one",
      "Install wireguard-go, or a kernel with the module wireguard.",
    ),
  ];
}

/** A ceiling that is not sound has a finding of its own. */
function allowsInterfaces({ paths, owner }: { readonly paths: AgentPaths; readonly owner: number }): boolean {
  try {
    return entriesOf(readCeiling(paths.ceiling, owner).ceiling).some(({ kind }) => kind === "network.wireguard");
  } catch (error) {
    if (isFault(error)) return false;
    throw error;
  }
}
