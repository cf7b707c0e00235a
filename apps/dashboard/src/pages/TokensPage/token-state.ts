import type { Token } from "@gatehouse/contract/routes";
import type { State } from "../../ui/StateMark.tsx";

export type TokenState = "active" | "ending" | "expired" | "revoked";

const soonMs = 24 * 60 * 60_000;

export function tokenStateOf(token: Pick<Token, "expiresAt" | "revokedAt" | "createdAt">, now: number): TokenState {
  if (token.revokedAt !== null) return "revoked";
  const left = Date.parse(token.expiresAt) - now;
  if (left <= 0) return "expired";
  // A token made for an hour is not ending soon from its first minute on.
  const life = Date.parse(token.expiresAt) - Date.parse(token.createdAt);
  return left < Math.min(soonMs, life / 4) ? "ending" : "active";
}

export const tokenStateMarks: Readonly<Record<TokenState, { state: State; word: string }>> = {
  active: { state: "ok", word: "Active" },
  ending: { state: "warn", word: "Ends soon" },
  expired: { state: "idle", word: "Expired" },
  revoked: { state: "quiet", word: "Revoked" },
};

export function isUsable(state: TokenState): boolean {
  return state === "active" || state === "ending";
}
