import type { JsonObject } from "@gatehouse/base";
import type { RecordKey, RecordKind } from "@gatehouse/contract/records";
import type { Read, Store, StoredRecord } from "./port.ts";

/** Every record of one kind in the order of their keys, however many there are: one call of `list` gives no more than a page. */
export async function listRecords<T extends JsonObject>(
  store: Pick<Store, "list">,
  kind: RecordKind<T>,
  read: Read = {},
): Promise<readonly StoredRecord<T>[]> {
  const all: StoredRecord<T>[] = [];
  for (let after: { readonly after?: RecordKey<T> } = {}; ; ) {
    const page = await store.list(kind, { ...read, ...after });
    const last = page.at(-1);
    if (last === undefined) return all;
    for (const record of page) all.push(record);
    after = { after: last.key };
  }
}
