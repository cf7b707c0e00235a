import type { VerifiedBundle } from "@gatehouse/bundle/verify";
import type { PluginRecord } from "./records.ts";

/** What the loader found under a plugin's name at this start. */
export type Found =
  | { readonly kind: "accepted"; readonly bundle: VerifiedBundle }
  | { readonly kind: "rejected"; readonly reason: string }
  | { readonly kind: "absent" };

/** What a start does about one plugin. */
export type BootStep =
  | { readonly kind: "nothing" }
  /** No record, or a closed one: a new record at `verified`. */
  | { readonly kind: "open"; readonly bundle: VerifiedBundle }
  /** Other bytes: the old record is closed first. */
  | { readonly kind: "supersede"; readonly bundle: VerifiedBundle }
  | { readonly kind: "rearm"; readonly bundle: VerifiedBundle }
  | { readonly kind: "disable"; readonly reason: string };

const nothing: BootStep = { kind: "nothing" };

/**
 * Decides what becomes of a plugin at a start (contract 3 and 3.1). Acceptance belongs to bytes: whatever differs from what
 * was accepted begins at `verified` again, and what is not accepted by the loader never runs.
 */
export function reconcile(record: PluginRecord | undefined, found: Found): BootStep {
  const isOpen = record !== undefined && record.closedAt === null;
  if (found.kind === "accepted") {
    const { bundle } = found;
    if (!isOpen) return { kind: "open", bundle };
    if (record.payloadSha256 !== bundle.payloadSha256) return { kind: "supersede", bundle };
    return record.status === "active" ? { kind: "rearm", bundle } : nothing;
  }
  // A bundle that is absent keeps its status: what a deployment forgot can be placed again. A rejected one is an answer.
  if (found.kind === "rejected" && isOpen && record.status === "active")
    return { kind: "disable", reason: found.reason };
  return nothing;
}
