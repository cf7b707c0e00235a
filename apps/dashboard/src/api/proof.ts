/**
 * Proofs a person has to give in the middle of work: signing in again, or the password once more. The request that needs
 * one waits here; a dialog over the page answers. So nothing that was typed is lost.
 */
export type ProofKind = "sign-in" | "step-up";

export interface PendingProof {
  readonly kind: ProofKind;
  readonly settle: (given: boolean) => void;
}

let pending: (PendingProof & { readonly answer: Promise<boolean> }) | undefined;
const listeners = new Set<() => void>();

/** Whether the proof was given. Requests that need the same one at the same time share a dialog. */
export async function askForProof(kind: ProofKind): Promise<boolean> {
  if (pending !== undefined && pending.kind !== kind) {
    await pending.answer;
    return askForProof(kind);
  }
  if (pending === undefined) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const settle = (given: boolean): void => {
      pending = undefined;
      resolve(given);
      tell();
    };
    pending = { kind, settle, answer: promise };
    tell();
  }
  return pending.answer;
}

export function pendingProof(): PendingProof | undefined {
  return pending;
}

export function onProofChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
