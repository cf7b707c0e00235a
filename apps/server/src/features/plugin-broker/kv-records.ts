import type { RecordKey, Store, StoredRecord } from "@gatehouse/store";

/**
 * One record for each key: the log keeps every version of a record for ever, so a record of all keys would be written whole for
 * every small change. The publisher is part of whose value it is: another publisher's plugin of the same id never sees it.
 */
export type KvRecord = {
  readonly publisher: string;
  /** Bytes of key and value. */
  readonly bytes: number;
  /** Sealed: a plugin may keep a credential here, and nobody else has to read it. */
  readonly sealed: string;
};

/** What a plugin uses of its quota. Changed in the same commit as the value, so that the two never differ. */
export type KvUse = {
  readonly publisher: string;
  readonly keys: number;
  readonly bytes: number;
};

export const valueKind = "plugin-kv";
const useKind = "plugin-kv-use";

export const useKey = (plugin: string): RecordKey => `${useKind}/${plugin}`;

/** Neither `@` nor `+` can be part of a plugin's id or of a key, so every pair has its own record, and one that reads well. */
export const valueId = (plugin: string, key: string): string => `${plugin}@${key.replaceAll("/", "+")}`;
export const valueKey = (plugin: string, key: string): RecordKey => `${valueKind}/${valueId(plugin, key)}`;

/** Every key that a publisher's plugin has stored, in the order of UTF-16 code units. */
export async function listKeys(
  store: Pick<Store, "list">,
  { id, publisher }: { readonly id: string; readonly publisher: string },
): Promise<readonly { readonly key: string; readonly bytes: number }[]> {
  const start = `${valueKind}/${id}@`;
  const found: { key: string; bytes: number }[] = [];
  let page: readonly StoredRecord<KvRecord>[] = [];
  let after: RecordKey = start;
  do {
    page = await store.list<KvRecord>(valueKind, { after });
    for (const { key, value } of page) {
      if (!key.startsWith(start)) return inOrder(found);
      if (value.publisher === publisher) {
        found.push({ key: key.slice(start.length).replaceAll("+", "/"), bytes: value.bytes });
      }
      after = key;
    }
  } while (page.length > 0);
  return inOrder(found);
}

function inOrder<T extends { readonly key: string }>(found: T[]): T[] {
  return found.sort((a, b) => (a.key < b.key ? -1 : 1));
}
