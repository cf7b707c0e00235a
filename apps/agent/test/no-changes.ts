import { fault } from "@gatehouse/contract/faults";
import type { Changes } from "../src/safety/open-changes.ts";

/** A host that can make no change: one that is right is refused, and nothing is open. */
export const noChanges: Changes = {
  find: async () => undefined,
  begin: () => Promise.reject(fault("apply.absent", "expected a kind that this version makes, found another")),
  resume: async () => undefined,
  told: async () => ({ open: undefined, newest: 0, notes: [] }),
  applied: async () => undefined,
  probe: async () => undefined,
  prove: () => Promise.reject(fault("confirm.proof", "expected a change that waits for its proof, found none")),
  isBusy: () => false,
};
