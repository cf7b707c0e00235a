import { auditFloorKey } from "@gatehouse/contract/records";
import type { AuditRecord, Head, Store } from "@gatehouse/store";
import { forgotten, Model, type Place, pruningRun, recordText } from "./model.ts";
import { kinds, plannedAction } from "./planned-commits.ts";

export interface ReadBack {
  readonly head: Head;
  /** What stands at each position, from position 1 on. */
  readonly places: readonly Place[];
  readonly text: string;
}

/** Reads all that a store holds through its port, or says what is wrong with it. */
export async function readBack(store: Store): Promise<ReadBack> {
  const [head, places, text] = [await store.head(), await readPlaces(store), await readText(store)];
  if (places.length !== head.position)
    throw new Error(`the head is ${head.position}, but ${places.length} entries are found`);
  return { head, places, text };
}

export async function readText(store: Store): Promise<string> {
  const lines: string[] = [];
  for (const kind of kinds) {
    for (const record of await store.list(kind, { limit: 1_000 })) lines.push(recordText(record));
  }
  return lines.join("\n");
}

async function readPlaces(store: Store): Promise<Place[]> {
  const floor = (await store.get(auditFloorKey))?.value.position ?? 0;
  const places: Place[] = [];
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page = await store.searchAudit({ after, order: "oldest", limit: 1_000 });
    for (const item of page.items) {
      // Pruned records may still be there: power may have failed before they were removed.
      while (places.length < Math.min(floor, item.position - 1)) places.push(forgotten);
      if (item.position !== places.length + 1)
        throw new Error(`expected position ${places.length + 1}, found ${item.position}`);
      places.push(placeOf(item));
    }
    after = page.next;
  }
  return places;
}

function placeOf({ position, action, detail }: AuditRecord): Place {
  if (action === "audit.pruned") return { run: pruningRun, n: Number(detail?.["position"]) };
  if (action !== plannedAction) throw new Error(`position ${position} holds ${action}, which nobody submitted`);
  return { run: Number(detail?.["run"]), n: Number(detail?.["n"]) };
}

/** The text a store must have after `places`. */
export function expectedText(places: readonly Place[]): string {
  const model = new Model();
  for (const place of places) model.place(place);
  return model.text();
}
