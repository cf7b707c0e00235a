import { capabilities, type Scope } from "@gatehouse/contract";
import type { Plugin } from "@gatehouse/contract/routes";
import type { RuntimeState } from "../plugin-runtime/index.ts";
import { judgeContributions } from "./contributions.ts";
import type { ClosedRecord, PluginRecord } from "./records.ts";
import { movesFrom } from "./transitions.ts";

export interface Circumstances {
  readonly isAvailable: boolean;
  readonly isFirstParty: boolean;
  readonly runtime: RuntimeState;
  /** Why the bundle is not loaded; shown where the runtime has nothing to say. */
  readonly missing: string | undefined;
  /** Keys of today's trust policy that signed the loaded bytes. */
  readonly signers: readonly string[] | undefined;
  readonly scopes: ReadonlySet<Scope>;
}

/** A record as it is shown, field by field, with what is true of it at this moment. */
export function viewPlugin(record: PluginRecord, now: Circumstances): Plugin {
  const { isAvailable, isFirstParty, runtime, scopes } = now;
  const isArmed = runtime.state === "armed";
  return {
    id: record.id,
    name: record.name,
    publisher: record.publisher,
    version: record.version,
    status: record.status,
    capabilities: record.capabilities.map((name) => ({ name, risk: capabilities[name].risk })),
    egressHosts: [...record.egressHosts],
    artifactSha256: record.artifactSha256,
    artifactSize: record.artifactSize,
    payloadSha256: record.payloadSha256,
    signers: [...(now.signers ?? record.signers)],
    expiresAt: record.expiresAt,
    available: isAvailable,
    runtime: viewRuntime(record, now),
    contributions: judgeContributions(record, { status: record.status, isAvailable, isArmed, isFirstParty }, scopes),
    ...(record.change !== null && { change: viewChange(record.change) }),
    history: record.history.map(viewClosed),
    moves: [...movesFrom(record.status, isAvailable)],
    verifiedAt: iso(record.verifiedAt),
    installedAt: isoOrNull(record.installedAt),
    activatedAt: isoOrNull(record.activatedAt),
    disabledAt: isoOrNull(record.disabledAt),
    createdAt: iso(record.createdAt),
    updatedAt: iso(record.updatedAt),
  };
}

function viewRuntime(record: PluginRecord, { runtime, missing }: Circumstances): Plugin["runtime"] {
  const { sandbox, ledger } = runtime;
  const failure = record.status === "disabled" ? record.failure : null;
  return {
    state: runtime.state === "absent" && failure !== null ? "failed" : runtime.state,
    runner: record.runner,
    sandbox,
    message: runtime.message ?? missing ?? failure,
    breaker: ledger?.breaker ?? null,
    failuresInARow: ledger?.failuresInARow ?? 0,
    actions: ledger?.actions ?? 0,
    capabilityUse: record.capabilities.map((name) => ({ name, calls: ledger?.used.get(name) ?? 0 })),
    lastErrors: (ledger?.lastErrors ?? []).map(({ at, ...error }) => ({ at: iso(at), ...error })),
  };
}

function viewChange({
  from,
  to,
  addedCapabilities,
  removedCapabilities,
  downgrade,
}: NonNullable<PluginRecord["change"]>) {
  return {
    from: { ...from },
    to: { ...to },
    addedCapabilities: [...addedCapabilities],
    removedCapabilities: [...removedCapabilities],
    downgrade,
  };
}

function viewClosed(closed: ClosedRecord): Plugin["history"][number] {
  return {
    version: closed.version,
    artifactSha256: closed.artifactSha256,
    payloadSha256: closed.payloadSha256,
    publisher: closed.publisher,
    capabilities: [...closed.capabilities],
    status: closed.status,
    verifiedAt: iso(closed.verifiedAt),
    installedAt: isoOrNull(closed.installedAt),
    closedAt: iso(closed.closedAt),
    reason: closed.reason,
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : iso(ms);
}
