import { fault } from "@gatehouse/contract/faults";

/** On the real host only root goes on. Under another directory, in tests, whoever owns it may. */
export function needRoot(root: string, what: string): void {
  if (root === "/" && process.getuid?.() !== 0) throw fault("host.not_root", `${what} is for root of this host`);
}

/** Whom files of root belong to, there. */
export function rootOwner(root: string): number {
  return root === "/" ? 0 : (process.getuid?.() ?? 0);
}
