import type { Enrolment, Node } from "@gatehouse/contract/routes";

/** How far a host has come with its code. */
export type EnrolProgress =
  | { readonly kind: "waiting" | "expired" | "cancelled" }
  | { readonly kind: "arriving"; readonly nodeId: string }
  | { readonly kind: "here" | "turned-away"; readonly node: Node };

/**
 * From the code as the list shows it, and the node that used it. A code that was just made is open although no list has shown it
 * yet; a list that has come without it has forgotten it, which it does long after its end.
 */
export function enrolProgress(
  listed: readonly Enrolment[] | undefined,
  id: string,
  node: Node | undefined,
): EnrolProgress {
  const enrolment = listed?.find((one) => one.id === id);
  if (enrolment === undefined) return { kind: listed === undefined ? "waiting" : "expired" };
  const { state, nodeId } = enrolment;
  if (state === "revoked") return { kind: "cancelled" };
  if (nodeId === null) return { kind: state === "expired" ? "expired" : "waiting" };
  if (node?.id === nodeId && node.state === "revoked") return { kind: "turned-away", node };
  return node?.id === nodeId && node.state === "online" ? { kind: "here", node } : { kind: "arriving", nodeId };
}

/** "12 min 40 s", as a countdown says it. */
export function leftWords(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
