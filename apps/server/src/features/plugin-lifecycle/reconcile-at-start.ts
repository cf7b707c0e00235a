import type { RecordKey } from "@gatehouse/contract/records";
import type { StoredRecord } from "@gatehouse/store";
import type { Store } from "@gatehouse/store";
import type { Log } from "../../platform/log/index.ts";
import type { Bundles } from "../plugin-bundles/index.ts";
import type { Runtime } from "../plugin-runtime/index.ts";
import { closeRecord, openRecord } from "./open-record.ts";
import { type Found, reconcile } from "./reconcile.ts";
import { type PluginRecord, pluginKind } from "./records.ts";
import { disabled, reasonOf, warnOfIgnored } from "./request-transition.ts";
import { type Actor, bytesOf, writeMove, type WriteMoveDeps } from "./write-move.ts";

export interface ReconcileAtStartDeps extends WriteMoveDeps {
  readonly store: Pick<Store, "get" | "list">;
  readonly bundles: Pick<Bundles, "accepted" | "findLoaded" | "findRejection">;
  readonly runtime: Pick<Runtime, "arm">;
  readonly isFirstParty: (publisher: string) => boolean;
  readonly log: Log;
}

const system: Actor = { name: "system", requireRights: () => Promise.resolve() };

/** Brings every record in line with what the loader found, before anybody can ask. One plugin never keeps the others from it. */
export async function reconcileAtStart(deps: ReconcileAtStartDeps): Promise<void> {
  const ids = new Set([...(await recordedIds(deps.store)), ...deps.bundles.accepted.keys()]);
  for (const id of [...ids].sort()) {
    try {
      await reconcileOne(deps, id);
    } catch (error) {
      // The record stays as it was and nothing of it is armed; the server still has to start.
      deps.log.error("a plugin could not be brought in line at the start", { plugin: id }, error);
    }
  }
}

async function reconcileOne(deps: ReconcileAtStartDeps, id: string): Promise<void> {
  const before = await deps.store.get(pluginKind.key(id));
  const step = reconcile(before?.value, findAtStart(deps.bundles, id));
  switch (step.kind) {
    case "nothing":
      return;
    case "open":
      await open(deps, before, openRecord(step.bundle, deps.clock.now(), before?.value));
      return;
    case "supersede":
      if (before !== undefined) await supersede(deps, before, openRecord(step.bundle, deps.clock.now(), before.value));
      return;
    case "rearm":
      if (before === undefined) return;
      try {
        await deps.runtime.arm(step.bundle, "start");
        warnOfIgnored(deps, before.value);
      } catch (error) {
        await disable(deps, before, `it could not be armed again: ${reasonOf(error)}`);
      }
      return;
    case "disable":
      if (before !== undefined) await disable(deps, before, step.reason);
  }
}

function open(deps: WriteMoveDeps, before: StoredRecord<PluginRecord> | undefined, record: PluginRecord) {
  return writeMove(deps, system, before, {
    action: "plugin.verified",
    record,
    detail: {
      ...bytesOf(record),
      from: null,
      to: "verified",
      ...(record.change !== null && { change: record.change }),
    },
  });
}

/** Two entries, so two commits: after the first the old record is closed, and the next start can go on from there. */
async function supersede(deps: WriteMoveDeps, before: StoredRecord<PluginRecord>, next: PluginRecord): Promise<void> {
  const reason = `other bytes took its place: ${next.version}, payload ${next.payloadSha256}`;
  const closed = await writeMove(deps, system, before, {
    action: "plugin.superseded",
    record: closeRecord(before.value, reason, deps.clock.now()),
    detail: { ...bytesOf(before.value), from: before.value.status, to: null, reason },
  });
  await open(deps, closed, { ...next, history: closed.value.history });
}

async function disable(deps: ReconcileAtStartDeps, before: StoredRecord<PluginRecord>, reason: string): Promise<void> {
  deps.log.warn("a plugin is disabled at the start", { plugin: before.value.id, reason });
  await writeMove(deps, system, before, {
    action: "plugin.disabled",
    record: disabled(before.value, deps.clock.now(), reason),
    detail: { ...bytesOf(before.value), from: before.value.status, to: "disabled", reason },
  });
}

function findAtStart(bundles: ReconcileAtStartDeps["bundles"], id: string): Found {
  const bundle = bundles.findLoaded(id);
  if (bundle !== undefined) return { kind: "accepted", bundle };
  const rejection = bundles.findRejection(id);
  return rejection === undefined ? { kind: "absent" } : { kind: "rejected", reason: rejection.detail };
}

async function recordedIds(store: Pick<Store, "list">): Promise<string[]> {
  const ids: string[] = [];
  for (let after: { after?: RecordKey<PluginRecord> } = {}; ; ) {
    const page = await store.list(pluginKind, after);
    const last = page.at(-1);
    if (last === undefined) return ids;
    ids.push(...page.map(({ value }) => value.id));
    after = { after: last.key };
  }
}
