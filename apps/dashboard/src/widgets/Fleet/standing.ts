import type { Node } from "@gatehouse/contract/routes";
import { hourAndMinute } from "../../ui/relative-time.ts";
import type { State } from "../../ui/StateMark.tsx";

/** How a node stands, as people call it; what needs somebody comes first. */
export const standings = [
  "rival",
  "offline",
  "alerted",
  "drifted",
  "unheard",
  "healthy",
  "watched",
  "revoked",
] as const;
export type Standing = (typeof standings)[number];

export const standingWords: Readonly<Record<Standing, { readonly state: State; readonly word: string }>> = {
  rival: { state: "warn", word: "Two machines, one identity" },
  offline: { state: "off", word: "Offline" },
  alerted: { state: "warn", word: "Needs a look" },
  drifted: { state: "warn", word: "Differs" },
  unheard: { state: "unheard", word: "Not heard yet" },
  healthy: { state: "ok", word: "Healthy" },
  watched: { state: "quiet", word: "Watched" },
  revoked: { state: "idle", word: "Revoked" },
};

export interface Stood extends Pick<Node, "state" | "rival" | "facts" | "drift"> {
  /** Of an open alert that nobody looks after: "Disk 94 %". */
  readonly cause?: string;
}

export function standingOf({ state, rival, facts, drift, cause }: Stood): Standing {
  if (state === "revoked") return "revoked";
  if (rival !== null) return "rival";
  if (state === "offline") return "offline";
  if (state === "unknown") return "unheard";
  if (cause !== undefined) return "alerted";
  if (drift !== null) return "drifted";
  return facts?.mode === "monitor" ? "watched" : "healthy";
}

/** The word of a row, with the time or the cause where there is one: "Offline since 02:58", "Disk 94 %". */
export function sayStanding(node: Stood & Pick<Node, "since">, now: number): { state: State; word: string } {
  const standing = standingOf(node);
  const { state, word } = standingWords[standing];
  if (standing === "alerted") return { state, word: node.cause ?? word };
  if (standing === "healthy" && node.facts === null) return { state, word: "Online" };
  const isTimed = standing === "offline" || standing === "revoked";
  const since = standing === "drifted" ? (node.drift?.since ?? null) : isTimed ? node.since : null;
  if (since === null) return { state, word };
  return { state, word: `${word} since ${hourAndMinute(Date.parse(since), now)}` };
}

export type StandingCounts = Readonly<Record<Standing, number>>;

export function countStandings(nodes: readonly Stood[]): StandingCounts {
  const counts = Object.fromEntries(standings.map((standing) => [standing, 0])) as Record<Standing, number>;
  for (const node of nodes) counts[standingOf(node)] += 1;
  return counts;
}
