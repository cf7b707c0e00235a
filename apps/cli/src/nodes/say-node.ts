import type { Node } from "@gatehouse/contract/routes";

/** A state in the words that the dashboard uses too, with since when. */
export function sayState(node: Node, now: number): string {
  const since = node.since === null ? "" : ` since ${sayTime(node.since, now)}`;
  return `${stateWord(node)}${since}`;
}

/** How a node stands, as people tell it apart. What is wrong with one that is there is named by its cause. */
export function standingOf({ state, rival, clockSkewMs, lastSeenAt, facts }: Node): keyof typeof standings {
  if (state === "revoked") return "revoked";
  if (state === "unknown") return "unheard";
  if (state === "offline") return lastSeenAt === null && facts === null ? "unheard" : "offline";
  if (rival !== null) return "rival";
  if (clockSkewMs !== null && Math.abs(clockSkewMs) >= clockOffMs) return "clock";
  return facts?.mode === "monitor" ? "watched" : "healthy";
}

/** The word alone. */
export function stateWord(node: Node): string {
  return standings[standingOf(node)](node);
}

const standings = {
  revoked: () => "Revoked",
  unheard: () => "Not heard yet",
  offline: () => "Offline",
  rival: () => "Two machines with one identity",
  clock: ({ clockSkewMs }) => `Clock ${saySpan(clockSkewMs ?? 0)} off`,
  watched: () => "Watched",
  healthy: () => "Healthy",
} as const satisfies Record<string, (node: Node) => string>;

/** A clock that is this far off is said before anything else. */
const clockOffMs = 3_000;

/** A time of the clock in UTC, with its date when it is another day. */
export function sayTime(iso: string, now: number): string {
  const [date = "", time = ""] = iso.split("T");
  const clock = time.slice(0, 5);
  return new Date(now).toISOString().startsWith(date) ? clock : `${date} ${clock}`;
}

/** When somebody was last heard. Seconds are counted, later the clock says more. */
export function saySeen(iso: string | null, now: number): string {
  if (iso === null) return "-";
  const seconds = Math.round((now - Date.parse(iso)) / 1_000);
  return seconds >= 0 && seconds < 60 ? `${seconds} s ago` : sayTime(iso, now);
}

export function sayClock(skewMs: number | null): string {
  if (skewMs === null) return "not compared yet";
  if (Math.abs(skewMs) < 500) return "as the server's";
  return `${saySpan(skewMs)} ${skewMs > 0 ? "ahead of" : "behind"} the server's`;
}

/** In the largest two units that say something. */
export function saySpan(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

/** The part of an id that people compare. */
export function lastDigits(id: string): string {
  return id.slice(-8);
}

/** Where somebody has said that it is. */
export function sayPlace({ latitude, longitude, label }: NonNullable<Node["place"]>): string {
  return `${latitude}, ${longitude}${label === null ? "" : ` (${label})`}, set by hand`;
}
