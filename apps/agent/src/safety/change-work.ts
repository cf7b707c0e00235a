import { digestStates } from "../operations/digest-states.ts";
import { findHostChange } from "../operations/host-operations.ts";
import { endBeforeChange, finishChange } from "./end-change.ts";
import { keepSnapshot, proveSnapshot } from "./keep-snapshot.ts";
import { hasUnrestored } from "./left-snapshots.ts";

/** The pieces of work that a change is made of; tests have others. */
export const changeWork = {
  findHostChange,
  digestStates,
  keepSnapshot,
  proveSnapshot,
  endBeforeChange,
  finishChange,
  hasUnrestored,
};

export type ChangeWork = typeof changeWork;
