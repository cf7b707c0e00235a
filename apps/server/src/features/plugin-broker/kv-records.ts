import { pluginKvKind, type PluginKvRecord, type RecordKey } from "@gatehouse/contract/records";
import type { Read, Store, StoredRecord } from "@gatehouse/store";

/** Neither `@` nor `+` can be part of a plugin's id or of a key, so every pair has its own record, and one that reads well. */
export const valueId = (plugin: string, key: string): string => `${plugin}@${key.replaceAll("/", "+")}`;
export const valueKey = (plugin: string, key: string) => pluginKvKind.key(valueId(plugin, key));

/** Every key that a publisher's plugin has stored, in the order of UTF-16 code units. */
export async function listKeys(
  store: Pick<Store, "list">,
  { id, publisher }: { readonly id: string; readonly publisher: string },
  read: Read = {},
): Promise<readonly { readonly key: string; readonly bytes: number }[]> {
  const start = `${id}@`;
  const found: { key: string; bytes: number }[] = [];
  let page: readonly StoredRecord<PluginKvRecord>[] = [];
  let after: RecordKey<PluginKvRecord> = pluginKvKind.key(start);
  do {
    page = await store.list(pluginKvKind, { ...read, after });
    for (const { key, value } of page) {
      if (!key.id.startsWith(start)) return inOrder(found);
      if (value.publisher === publisher) {
        found.push({ key: key.id.slice(start.length).replaceAll("+", "/"), bytes: value.bytes });
      }
      after = key;
    }
  } while (page.length > 0);
  return inOrder(found);
}

function inOrder<T extends { readonly key: string }>(found: T[]): T[] {
  return found.sort((a, b) => (a.key < b.key ? -1 : 1));
}
