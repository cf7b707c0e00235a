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
  // The words of contract 7 come first; a person and a search look for them.
  const detail = `transition \`${from}\` to \`${to}\` rejected: ${instead(from, to, allowed)}`;
  throw fault("plugin.transition_rejected", detail, { fields });
}

function instead(from: LifecycleState, to: LifecycleState, allowed: readonly LifecycleState[]): string {
  if (from === "verified" && to === "active") return "go through `installed` first";
  if (allowed.length === 0) return "no move is open to it now";
  return `from \`${from}\` it can move to ${allowed.map((state) => `\`${state}\``).join(" or ")}`;
}
