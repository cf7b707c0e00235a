import { fault, type LifecycleState } from "@gatehouse/contract";

/** The only moves that exist (contract 3). A pair that is not here is refused. */
const transitions: Readonly<Record<LifecycleState, readonly LifecycleState[]>> = {
  verified: ["installed"],
  installed: ["active", "disabled"],
  active: ["disabled"],
  disabled: ["active"],
};

/** Where a plugin can be moved now. Without a loaded bundle the only way left is out: `disabled`. */
export function movesFrom(from: LifecycleState, isAvailable: boolean): readonly LifecycleState[] {
  return isAvailable ? transitions[from] : transitions[from].filter((to) => to === "disabled");
}

/** Refuses every move that is not a row of the table, and one that needs a bundle which is not loaded. */
export function judgeMove(id: string, from: LifecycleState, to: LifecycleState, isAvailable: boolean): void {
  const allowed = movesFrom(from, isAvailable);
  if (allowed.includes(to)) return;
  const fields = { from, to, allowed };
  if (transitions[from].includes(to)) {
    throw fault("plugin.not_available", `the bundle of ${id} is not loaded, so it cannot become ${to}`, { fields });
  }
  const instead = allowed.length === 0 ? "no move is open to it now" : `it can become ${allowed.join(" or ")}`;
  throw fault("plugin.transition_rejected", `${id} is ${from} and cannot become ${to}; ${instead}`, { fields });
}
