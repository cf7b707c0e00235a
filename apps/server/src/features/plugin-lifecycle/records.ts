import { pluginKind, type PluginRecord } from "@gatehouse/contract/records";
import type { Store, StoredRecord } from "@gatehouse/store";

export { pluginKind, type PluginRecord };

/** Parts of the record by their own names. */
export type AcceptedBytes = NonNullable<PluginRecord["lastAccepted"]>;
export type PluginChangeRecord = NonNullable<PluginRecord["change"]>;
export type ClosedRecord = PluginRecord["history"][number];

/** The record that speaks for a plugin now. A closed one speaks for nothing. */
export async function findPlugin(
  store: Pick<Store, "get">,
  id: string,
): Promise<StoredRecord<PluginRecord> | undefined> {
  const found = await store.get(pluginKind.key(id));
  return found?.value.closedAt === null ? found : undefined;
}
