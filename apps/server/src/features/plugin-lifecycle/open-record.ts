import type { VerifiedBundle } from "@gatehouse/bundle/verify";
import { judgeChange } from "./judge-change.ts";
import { lifecycleLimits } from "./limits.ts";
import type { AcceptedBytes, ClosedRecord, PluginRecord } from "./records.ts";

/** A record at `verified` for these bytes. What was accepted before is remembered and gives them nothing. */
export function openRecord({ manifest, ...bundle }: VerifiedBundle, now: number, before?: PluginRecord): PluginRecord {
  const bytes: AcceptedBytes = {
    version: manifest.version,
    artifactSha256: bundle.artifactSha256,
    payloadSha256: bundle.payloadSha256,
    capabilities: [...manifest.capabilities],
  };
  return {
    id: manifest.id,
    name: manifest.name,
    publisher: manifest.publisher,
    ...bytes,
    status: "verified",
    runner: manifest.runner,
    egressHosts: [...(manifest.egress?.hosts ?? [])],
    artifactSize: manifest.artifact.size,
    signers: [...bundle.signers],
    expiresAt: manifest.expiresAt ?? null,
    contributions: {
      nav: manifest.contributions.nav.map(({ component, title, path, icon, scope }) => ({
        component,
        title,
        path,
        icon: icon ?? null,
        scope: scope ?? null,
      })),
      enhancements: manifest.contributions.enhancements.map(({ surface, component }) => ({ surface, component })),
    },
    change: before === undefined ? null : judgeChange(before, bytes),
    history: before?.history ?? [],
    lastAccepted: before?.lastAccepted ?? null,
    highestAccepted: before?.highestAccepted ?? null,
    verifiedAt: now,
    installedAt: null,
    activatedAt: null,
    disabledAt: null,
    failure: null,
    closedAt: null,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  };
}

/** The record with itself added to its history. It is kept as it stood; nothing moves it back. */
export function closeRecord(record: PluginRecord, reason: string, now: number): PluginRecord {
  const closed: ClosedRecord = {
    version: record.version,
    artifactSha256: record.artifactSha256,
    payloadSha256: record.payloadSha256,
    publisher: record.publisher,
    capabilities: record.capabilities,
    status: record.status,
    verifiedAt: record.verifiedAt,
    installedAt: record.installedAt,
    closedAt: now,
    reason,
  };
  return {
    ...record,
    history: [...record.history, closed].slice(-lifecycleLimits.history),
    closedAt: now,
    updatedAt: now,
  };
}
