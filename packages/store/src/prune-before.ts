import { isFault } from "@gatehouse/contract/faults";
import { auditFloorKey } from "@gatehouse/contract/records";
import type { Head, Store } from "./port.ts";

/** The last position before which nothing is younger. Times may jump; a record that is young enough is never forgotten. */
export async function findLastBefore(store: Pick<Store, "searchAudit" | "head">, time: number): Promise<number> {
  const { items } = await store.searchAudit({ from: time, order: "oldest", limit: 1 });
  return (items[0]?.position ?? (await store.head()).position + 1) - 1;
}

/**
 * Forgets audit records that are older than a time, as far as they are archived and end a group, and says where the log
 * begins since; undefined when there is nothing to forget. That it was done is itself a record.
 */
export async function pruneBefore(
  store: Pick<Store, "get" | "searchAudit" | "head" | "pruneAudit">,
  by: { readonly actor: string; readonly at: number },
  time: number,
): Promise<Head | undefined> {
  const position = await findLastBefore(store, time);
  const before = (await store.get(auditFloorKey))?.value.position ?? 0;
  if (position <= before) return undefined;
  try {
    await store.pruneAudit(by, position);
  } catch (error) {
    // Nothing up to there is archived yet.
    if (isFault(error, "store.malformed")) return undefined;
    throw error;
  }
  return (await store.get(auditFloorKey))?.value;
}
