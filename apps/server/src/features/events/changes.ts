import type { AuditRecord, Store } from "@gatehouse/store";
import type { Bus } from "../../platform/bus/index.ts";
import { eventLimits } from "./limits.ts";

/** The changes after a position, oldest first, and word when there may be more. */
export interface Changes {
  after(position: number): Promise<readonly AuditRecord[]>;
  head(): Promise<number>;
  onNews(listener: () => void): () => void;
  /** Forgets what was shared: a hint may have been lost. */
  refresh(): void;
}

/**
 * Streams that are up to date all ask for the same page at the same moment: it is read once and shared until the next
 * hint. Hints come after a commit is visible, so what is read after one holds it.
 */
export function openChanges(store: Pick<Store, "searchAudit" | "head">, bus: Pick<Bus, "subscribe">): Changes {
  let shared = new Map<number, Promise<readonly AuditRecord[]>>();
  const refresh = () => {
    shared = new Map();
  };
  bus.subscribe("audit.moved", refresh);
  const read = async (after: number) => {
    const own = shared;
    try {
      const { items } = await store.searchAudit({ order: "oldest", after, limit: eventLimits.pageItems });
      // A full page is somebody catching up alone; only the newest page is everybody's.
      if (items.length === eventLimits.pageItems) own.delete(after);
      return items;
    } catch (error) {
      own.delete(after);
      throw error;
    }
  };
  return {
    after: (position) => {
      const known = shared.get(position);
      if (known !== undefined) return known;
      const page = read(position);
      shared.set(position, page);
      return page;
    },
    head: async () => (await store.head()).position,
    onNews: (listener) => bus.subscribe("audit.moved", listener),
    refresh,
  };
}
