import type { Plan } from "@gatehouse/contract/routes";

/** `SHA256:` and as much of the rest as two keys are told apart by; the whole stands beside it for a pointer. */
export function shortFingerprint(fingerprint: string): string {
  const colon = fingerprint.indexOf(":") + 1;
  const rest = fingerprint.slice(colon);
  return rest.length <= 16 ? fingerprint : `${fingerprint.slice(0, colon)}${rest.slice(0, 8)}…${rest.slice(-4)}`;
}

export interface WaitingWords {
  readonly isWaiting: boolean;
  readonly says: string;
}

/** Whether hosts of the plan wait for approvals. Nothing for a plan of which it is no longer the question. */
export function waitingWords({
  state,
  awaiting,
  approvals,
}: Pick<Plan, "state" | "awaiting" | "approvals">): WaitingWords | undefined {
  if (state === "in_review") {
    if (awaiting === null) return { isWaiting: true, says: "Nobody has approved it yet." };
    const hosts = awaiting === 1 ? "1 host still waits" : `${awaiting.toLocaleString("en-GB")} hosts still wait`;
    return { isWaiting: true, says: `${hosts} for approvals.` };
  }
  if (state === "approved") return { isWaiting: false, says: "Every host that takes changes has enough approvals." };
  if (approvals.length === 0) return { isWaiting: false, says: "Nobody approved it." };
  return undefined;
}
