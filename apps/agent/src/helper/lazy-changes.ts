import { fault } from "@gatehouse/contract/faults";
import type { Changes } from "../safety/open-changes.ts";

export interface LazyChangesDeps {
  /** Cheap: whether this host has ever begun a change. */
  readonly hasJournal: () => boolean;
  readonly load: () => Promise<Changes>;
}

/** Hosts that have never begun a change load nothing of what makes one, and nothing is written there for whoever asks. */
export function lazyChanges({ hasJournal, load }: LazyChangesDeps): Changes {
  let loading: Promise<Changes> | undefined;
  let loaded: Changes | undefined;
  const get = async () => {
    loading ??= load();
    return (loaded = await loading);
  };
  return {
    find: async (task) => (hasJournal() ? (await get()).find(task) : undefined),
    begin: async (judged) => (await get()).begin(judged),
    resume: async () => {
      if (hasJournal()) await (await get()).resume();
    },
    told: async (after) => (hasJournal() ? (await get()).told(after) : { open: undefined, newest: 0, notes: [] }),
    applied: async (after, take) => {
      if (hasJournal()) await (await get()).applied(after, take);
    },
    probe: async () => (hasJournal() ? (await get()).probe() : undefined),
    prove: async (proof) => {
      if (!hasJournal()) throw fault("confirm.proof", "expected a change that waits for its proof, found none");
      await (await get()).prove(proof);
    },
    isBusy: () => loaded?.isBusy() === true,
  };
}
