import type { Store } from "@gatehouse/store";
import { farDatabase } from "@gatehouse/store/far";

/** What features are tested over: a store far away, where commits, their answers and the word of them take their time. */
export function farStore(): Store {
  return farDatabase({ seed: 1 }).openReplica().store;
}
