import type { Alert } from "@gatehouse/contract/routes";
import { hourAndMinute } from "../../ui/relative-time.ts";
import type { State } from "../../ui/StateMark.tsx";

export const alertStates = ["unacknowledged", "acknowledged", "silenced"] as const;
export type AlertState = (typeof alertStates)[number];

/** What somebody looks after, or nobody is told of, has the shape and not the colour of a call. */
export const alertMarks: Readonly<Record<AlertState, { readonly state: State; readonly word: string }>> = {
  unacknowledged: { state: "warn", word: "Unacknowledged" },
  acknowledged: { state: "run", word: "Acknowledged" },
  silenced: { state: "quiet", word: "Silenced" },
};

/** Somebody's name counts for more than that nobody is to be told. */
export function alertStateOf({
  acknowledged,
  silencedUntil,
}: Pick<Alert, "acknowledged" | "silencedUntil">): AlertState {
  if (acknowledged !== null) return "acknowledged";
  return silencedUntil === null ? "unacknowledged" : "silenced";
}

/** "Acknowledged by ruth at 03:01. Silenced until 06:00." Empty while nobody has done anything. */
export function sayCare(
  { acknowledged, silencedUntil }: Pick<Alert, "acknowledged" | "silencedUntil">,
  nameOf: (actor: string) => string,
  now: number,
): string {
  const clock = (at: string): string => hourAndMinute(Date.parse(at), now);
  const parts: string[] = [];
  if (acknowledged !== null) {
    const { by, name, at } = acknowledged;
    const who = nameOf(by);
    // Who does not read the list of users knows only themselves.
    parts.push(`Acknowledged by ${who === "You" ? "you" : (name ?? who)} at ${clock(at)}.`);
  }
  if (silencedUntil !== null) parts.push(`Silenced until ${clock(silencedUntil)}.`);
  return parts.join(" ");
}
