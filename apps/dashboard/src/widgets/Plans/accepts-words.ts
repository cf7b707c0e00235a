import type { AcceptsMode } from "@gatehouse/contract/routes";

interface AcceptsWords {
  /** After "takes:" and in a table. */
  readonly short: string;
  /** What it means, as a sentence. */
  readonly says: string;
}

/** Whose word counts on a host, as its root decided. */
export const acceptsWords: Readonly<Record<AcceptsMode, AcceptsWords>> = {
  signed: {
    short: "approvers’ signatures",
    says: "The host takes a change when approvers that its root named have signed it. This server cannot sign for them.",
  },
  server: {
    short: "this server’s word",
    says: "The host takes a change when this server orders it. Whoever holds this server can order one.",
  },
  none: { short: "no changes", says: "Root of the host has named nobody who may approve: every change is refused." },
};

/** `null`: the host did not say when the plan was made. */
export function sayAccepts(accepts: AcceptsMode | null): string {
  return accepts === null ? "not told" : acceptsWords[accepts].short;
}
