import type { Capability, LifecycleState, RunnerName, Scope, Surface } from "@gatehouse/contract";
import type { RecordKey, Store, StoredRecord } from "@gatehouse/store";

/** Times in records are milliseconds since 1970. Types, not interfaces: only these are JSON objects to the compiler. */
export type PluginRecord = {
  readonly id: string;
  readonly name: string;
  readonly publisher: string;
  readonly version: string;
  readonly status: LifecycleState;
  readonly runner: RunnerName;
  readonly capabilities: readonly Capability[];
  readonly egressHosts: readonly string[];
  readonly artifactSha256: string;
  readonly artifactSize: number;
  /** What acceptance belongs to: it covers the digest, the version, the capabilities and the contributions. */
  readonly payloadSha256: string;
  readonly signers: readonly string[];
  readonly expiresAt: string | null;
  readonly contributions: ContributionsRecord;
  readonly change: PluginChangeRecord | null;
  /** Closed records, the oldest first. The audit log has those that no longer fit. */
  readonly history: readonly ClosedRecord[];
  /** The bytes that were accepted last, over all records of this plugin. */
  readonly lastAccepted: AcceptedBytes | null;
  /** The highest version that was ever accepted; below it a version is a downgrade. */
  readonly highestAccepted: string | null;
  readonly verifiedAt: number;
  readonly installedAt: number | null;
  readonly activatedAt: number | null;
  readonly disabledAt: number | null;
  /** Why it is disabled although nobody disabled it; records from before 0.1.5 have none. */
  readonly failure?: string | null;
  /** When other bytes took its place; set only between the two commits of that. */
  readonly closedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export type ContributionsRecord = {
  readonly nav: readonly {
    readonly component: string;
    readonly title: string;
    readonly path: string;
    readonly icon: string | null;
    readonly scope: Scope | null;
  }[];
  readonly enhancements: readonly { readonly surface: Surface; readonly component: string }[];
};

export type AcceptedBytes = {
  readonly version: string;
  readonly artifactSha256: string;
  readonly payloadSha256: string;
  readonly capabilities: readonly Capability[];
};

export type PluginChangeRecord = {
  readonly from: { readonly version: string; readonly artifactSha256: string };
  readonly to: { readonly version: string; readonly artifactSha256: string };
  readonly addedCapabilities: readonly Capability[];
  readonly removedCapabilities: readonly Capability[];
  readonly downgrade: boolean;
};

export type ClosedRecord = AcceptedBytes & {
  readonly publisher: string;
  readonly status: LifecycleState;
  readonly verifiedAt: number;
  readonly installedAt: number | null;
  readonly closedAt: number;
  readonly reason: string;
};

export const pluginKind = "plugin";
export const pluginKey = (id: string): RecordKey => `${pluginKind}/${id}`;

/** The record that speaks for a plugin now. A closed one speaks for nothing. */
export async function findPlugin(
  store: Pick<Store, "get">,
  id: string,
): Promise<StoredRecord<PluginRecord> | undefined> {
  const found = await store.get<PluginRecord>(pluginKey(id));
  return found?.value.closedAt === null ? found : undefined;
}
