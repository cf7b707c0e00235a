import type { Clock } from "@gatehouse/base";
import { fault } from "@gatehouse/contract";
import { brokerLimits } from "@gatehouse/contract/broker";
import {
  pluginKvKind,
  type PluginKvRecord,
  pluginKvUseKind,
  type PluginKvUseRecord,
} from "@gatehouse/contract/records";
import type { Secrets, Store } from "@gatehouse/store";
import { type Decide, type Decision, put, type Reads, remove } from "@gatehouse/store/decide";
import type { BrokerCaller, BrokerHandlers } from "./handlers.ts";
import { listKeys, valueId, valueKey } from "./kv-records.ts";
import { openWriteBudget, type WriteBudget } from "./write-budget.ts";

export interface KvDeps {
  readonly store: Pick<Store, "get" | "list">;
  readonly decide: Decide;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

type Deps = KvDeps & { readonly budget: WriteBudget };
/** What a change answers: that it was made. */
type Answer = Awaited<ReturnType<BrokerHandlers["kv.put"]>>;
/** With the reads of one decision, or with none. */
type Reading = Deps & { readonly reads: Reads };

/** A plugin's own values: within its quota, and each change with its entry in the audit log, which names the key and never the value. */
export function kvHandlers(given: KvDeps): Pick<BrokerHandlers, "kv.get" | "kv.list" | "kv.put" | "kv.delete"> {
  const hourly = { writes: brokerLimits.writesPerHour, bytes: brokerLimits.writtenBytesPerHour };
  const deps: Deps = { ...given, budget: openWriteBudget(given, hourly) };
  const change = (caller: BrokerCaller, key: string, value: string | null) => {
    // Taken once, however often the decision is made again.
    let isPaid = false;
    const pay = (bytes: number) => (isPaid ||= deps.budget.take(caller.plugin.id, bytes));
    return deps.decide([pluginKvUseKind.key(caller.plugin.id).text], (reads) =>
      write({ ...deps, reads, pay }, caller, key, value),
    );
  };
  return {
    "kv.get": async ({ plugin }, { key }) => ({
      value: (await read({ ...deps, reads: deps.store }, plugin, key)).value ?? null,
    }),
    "kv.list": async ({ plugin }, { prefix = "", after = "", limit = brokerLimits.listKeys }) => {
      const all = await listKeys(deps.store, plugin);
      const asked = all.map(({ key }) => key).filter((key) => key.startsWith(prefix) && key > after);
      return { keys: asked.slice(0, limit), more: asked.length > limit };
    },
    "kv.put": (caller, { key, value }) => {
      if (Buffer.byteLength(value) > brokerLimits.valueBytes) {
        throw fault("broker.too_large", `params.value: takes at most ${brokerLimits.valueBytes} bytes`);
      }
      return change(caller, key, value);
    },
    "kv.delete": (caller, { key }) => change(caller, key, null),
  };
}

/** Stores the value, or removes the key. What changes nothing is not written: it would only fill the log. */
async function write(
  deps: Reading & { readonly pay: (bytes: number) => boolean },
  caller: BrokerCaller,
  key: string,
  value: string | null,
): Promise<Decision<Answer>> {
  const { plugin, signal } = caller;
  const { record, value: before } = await read(deps, plugin, key);
  if (before === (value ?? undefined)) return { result: () => ({}) };
  const bytes = value === null ? 0 : Buffer.byteLength(key) + Buffer.byteLength(value);
  const { use, version } = await readUse(deps, plugin);
  const next: PluginKvUseRecord = {
    publisher: plugin.publisher,
    keys: use.keys + (value === null ? -1 : before === undefined ? 1 : 0),
    bytes: use.bytes + bytes - (before === undefined ? 0 : (record?.value.bytes ?? 0)),
  };
  if (value !== null) refuseBeyondQuota(next);
  if (!deps.pay(bytes)) {
    const { writesPerHour, writtenBytesPerHour } = brokerLimits;
    throw fault(
      "broker.quota",
      `a plugin writes at most ${writesPerHour} times and ${writtenBytesPerHour} bytes an hour`,
    );
  }
  const place = record ?? { key: valueKey(plugin.id, key), version: 0 };
  const changes = [
    value === null ? remove(place) : put(place, seal(deps, plugin, key, value)),
    put({ key: pluginKvUseKind.key(plugin.id), version }, next),
  ];
  // The last moment: a plugin that is detached by now changes nothing any more.
  if (signal.aborted) throw fault("broker.detached", "the plugin was detached, or its action has ended");
  return {
    entry: {
      at: deps.clock.now(),
      actor: `plugin:${plugin.id}`,
      action: value === null ? "plugin.kv_removed" : "plugin.kv_written",
      subject: `plugin/${plugin.id}`,
      detail: { key, bytes, payloadSha256: plugin.payloadSha256 },
    },
    changes,
    result: () => ({}),
  };
}

type Owner = Pick<BrokerCaller["plugin"], "id" | "publisher">;

/** The record under the key, whoever wrote it, and its value when it is this plugin's. */
async function read({ reads, secrets }: Reading, { id, publisher }: Owner, key: string) {
  const record = await reads.get(valueKey(id, key));
  if (record?.value.publisher !== publisher) return { record, value: undefined };
  return { record, value: secrets.open(placeOf(id, key), record.value.sealed).toString() };
}

function seal({ secrets }: Deps, { id, publisher }: Owner, key: string, value: string): PluginKvRecord {
  const bytes = Buffer.byteLength(key) + Buffer.byteLength(value);
  return { publisher, bytes, sealed: secrets.seal(placeOf(id, key), value) };
}

const placeOf = (id: string, key: string) => ({ kind: pluginKvKind.name, id: valueId(id, key), field: "sealed" });

/** Counted anew when the count is another publisher's. */
async function readUse(
  { reads, store }: Reading,
  plugin: Owner,
): Promise<{ use: Omit<PluginKvUseRecord, "publisher">; version: number }> {
  const kept = await reads.get(pluginKvUseKind.key(plugin.id));
  const version = kept?.version ?? 0;
  if (kept?.value.publisher === plugin.publisher) return { use: kept.value, version };
  const all = await listKeys(store, plugin, { newest: true });
  return { use: { keys: all.length, bytes: all.reduce((sum, { bytes }) => sum + bytes, 0) }, version };
}

function refuseBeyondQuota({ keys, bytes }: PluginKvUseRecord): void {
  if (keys > brokerLimits.keys) throw fault("broker.quota", `a plugin stores at most ${brokerLimits.keys} keys`);
  if (bytes <= brokerLimits.storeBytes) return;
  throw fault("broker.quota", `a plugin stores at most ${brokerLimits.storeBytes} bytes of keys and values`);
}
