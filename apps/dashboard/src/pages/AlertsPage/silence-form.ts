import { alertLimits } from "@gatehouse/contract";
import type { AlertSilence } from "../../api/alerts.ts";
import { parseScope, type TypedScope } from "./scope-form.ts";

const hourMs = 3_600_000;

/** How long, by the words of the choice; `until` is a time that somebody types. */
export const silenceLengths = {
  "1h": { words: "1 hour", ms: hourMs },
  "8h": { words: "8 hours", ms: 8 * hourMs },
  "1d": { words: "1 day", ms: 24 * hourMs },
  until: { words: "Until a time…", ms: undefined },
} as const;
type SilenceLength = keyof typeof silenceLengths;

/** A silence as somebody typed it. No rule means every rule; the time is as a browser's own field writes it. */
export interface TypedSilence extends TypedScope {
  readonly rule: string;
  readonly length: SilenceLength;
  readonly until: string;
  readonly reason: string;
}

export type WrongSilence = Partial<Record<"tags" | "until" | "reason", string>>;

interface Wish {
  readonly appliesTo: AlertSilence["appliesTo"];
  readonly rule?: string;
  readonly until: string;
  readonly reason: string;
}

/** What is wanted, from now on, or what is wrong with it. `nodes` are the single hosts that it may be about. */
export function parseSilence(
  typed: TypedSilence,
  nodes: readonly string[],
  now: number,
): { readonly wish: Wish } | { readonly wrong: WrongSilence } {
  const scope = parseScope(typed, nodes);
  const until = untilOf(typed, now);
  const reason = typed.reason.trim().replaceAll(/\s+/g, " ");
  const wrong: WrongSilence = {
    ...("wrong" in scope && { tags: scope.wrong }),
    ...(typeof until === "string" && { until }),
    ...(reason === "" && { reason: "Say why: somebody will read it." }),
  };
  if (Object.keys(wrong).length > 0 || "wrong" in scope || typeof until === "string") return { wrong };
  const { rule } = typed;
  return {
    wish: {
      appliesTo: scope.appliesTo,
      ...(rule !== "" && { rule }),
      until: new Date(until).toISOString(),
      reason,
    },
  };
}

/** A moment, or what is wrong with it. */
function untilOf({ length, until }: Pick<TypedSilence, "length" | "until">, now: number): number | string {
  const { ms } = silenceLengths[length];
  if (ms !== undefined) return now + ms;
  const at = Date.parse(until);
  if (Number.isNaN(at)) return "Name a day and a time.";
  if (at <= now) return "That is over. Name a time that comes.";
  const most = alertLimits.silenceDays;
  return at > now + most * 24 * hourMs ? `At most ${most} days from now.` : at;
}
