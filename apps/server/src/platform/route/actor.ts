import type { Principal } from "./principal.ts";

/** A user acts under their id, a token under its own: whoever reads the log sees which of the two it was. */
export function actorOf(principal: Pick<Principal, "id" | "credential">): string {
  return principal.credential.kind === "token" ? `token:${principal.credential.id}` : principal.id;
}
