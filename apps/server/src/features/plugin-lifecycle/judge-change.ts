import { compareVersions } from "@gatehouse/base";
import type { AcceptedBytes, PluginChangeRecord, PluginRecord } from "./records.ts";

/**
 * What an operator has to look at before accepting new bytes: the difference to those that were accepted last. A release in
 * between that nobody accepted must not hide what it added. Where nothing was accepted, the difference to what stood here.
 */
export function judgeChange(before: PluginRecord, to: AcceptedBytes): PluginChangeRecord {
  const { lastAccepted } = before;
  const from = lastAccepted !== null && lastAccepted.payloadSha256 !== to.payloadSha256 ? lastAccepted : before;
  return {
    from: { version: from.version, artifactSha256: from.artifactSha256 },
    to: { version: to.version, artifactSha256: to.artifactSha256 },
    addedCapabilities: to.capabilities.filter((name) => !from.capabilities.includes(name)),
    removedCapabilities: from.capabilities.filter((name) => !to.capabilities.includes(name)),
    downgrade: isDowngrade(to.version, before.highestAccepted),
  };
}

/** Below the highest version that was accepted: an older release may bring back a hole that a newer one closed. */
export function isDowngrade(version: string, highestAccepted: string | null): boolean {
  return highestAccepted !== null && compareVersions(version, highestAccepted) < 0;
}

export function higherVersion(version: string, highestAccepted: string | null): string {
  return highestAccepted === null || compareVersions(version, highestAccepted) > 0 ? version : highestAccepted;
}
