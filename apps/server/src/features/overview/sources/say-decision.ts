import type { Plugin } from "@gatehouse/contract/routes";
import type { SaidItem } from "../overview-source.ts";

/** What somebody is to decide about a plugin that is there and does not run. */
export function sayDecision(plugin: Plugin): SaidItem {
  const { id, name, version, status, change, installedAt, verifiedAt, publisher } = plugin;
  const subject = { type: "plugin", id, name } as const;
  const since = Date.parse(verifiedAt);
  if (status === "installed") {
    return {
      subject,
      title: `${name} ${version}: accepted, not activated`,
      line: "Activate it, or disable it. Nothing of it runs.",
      since: Date.parse(installedAt ?? verifiedAt),
    };
  }
  if (change === undefined) {
    const line = `Accept or leave closed. By ${publisher}, ${sayReach(plugin)}.`;
    return { subject, title: `${name} ${version}: verified, not accepted`, line, since };
  }
  const down = change.downgrade ? "It is a downgrade. " : "";
  return {
    subject,
    title: `${name} ${version}: ${change.downgrade ? "older digest" : "new digest"}`,
    line: `${down}Accept or leave closed. Against ${change.from.version}: ${sayDifference(change)}.`,
    since,
  };
}

function sayDifference({
  addedCapabilities: added,
  removedCapabilities: removed,
}: NonNullable<Plugin["change"]>): string {
  const parts = [
    added.length > 0 ? `adds ${added.join(", ")}` : "",
    removed.length > 0 ? `removes ${removed.join(", ")}` : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? "the same capabilities" : parts.join("; ");
}

function sayReach({ capabilities }: Plugin): string {
  if (capabilities.some(({ risk }) => risk === "host")) return "reaches hosts by plans";
  if (capabilities.some(({ risk }) => risk === "network")) return "reaches the network";
  if (capabilities.some(({ risk }) => risk === "fleet")) return "reads about nodes";
  return capabilities.length === 0 ? "declares nothing" : "reaches its own data only";
}
