import type { JsonObject } from "@gatehouse/base";
import type { Report } from "@gatehouse/command-line";
import type { UninstallPlan } from "./uninstall-agent.ts";

/** What went, or would go, and what stays behind. */
export function uninstallReport({ removes, leaves, tables, interfaces }: UninstallPlan, dryRun: boolean): Report {
  const first = dryRun ? "This would be done; nothing was changed." : "The agent is removed from this host.";
  const verb = dryRun ? "would be removed" : "removed";
  return {
    ok: true,
    lines: [
      removes.length === 0 ? "There is no agent on this host." : first,
      ...removes.map((path) => `  ${verb}: ${path}`),
      ...leaves.map(({ path, what }) => `  left: ${path} (${what})`),
      ...(leaves.length === 0
        ? []
        : ["With --purge these are removed too, and this host would come back as another node."]),
      ...(tables.length === 0
        ? []
        : [
            `Firewall tables that plans have made stay in the kernel until the next boot, and are not loaded then: ${tables.join(", ")}.`,
          ]),
      ...(interfaces.length === 0
        ? []
        : [
            `WireGuard interfaces that plans have made stay until the next boot, and are not set up then: ${interfaces.join(", ")}.`,
          ]),
    ],
    json: {
      dryRun,
      removed: [...removes],
      left: leaves as unknown as JsonObject[],
      tables: [...tables],
      interfaces: [...interfaces],
    },
  };
}
