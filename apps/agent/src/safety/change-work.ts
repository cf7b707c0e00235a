import { endBeforeChange, finishChange } from "./end-change.ts";
import { keepSnapshot, proveSnapshot } from "./keep-snapshot.ts";
import { dropLeft, hasUnrestored } from "./left-snapshots.ts";

/** The pieces of work around a change that read and write files of their own; tests have others. What touches the host is its `host`. */
export const changeWork = {
  keepSnapshot,
  proveSnapshot,
  endBeforeChange,
  finishChange,
  hasUnrestored,
  dropLeft,
};

export type ChangeWork = typeof changeWork;
