import type { Plan } from "@gatehouse/contract/routes";
import { spanWords } from "../../ui/relative-time.ts";
import { isWithdrawn } from "../../widgets/Plans/plan-state.ts";

/** What was decided, and by whom. */
export function sayDecision(plan: Plan, nameOf: (actor: string) => string): string {
  const { state, movedBy, reason, replacedBy, approvals } = plan;
  if (isWithdrawn(plan)) return `${nameOf(movedBy)} took it back.`;
  if (state === "rejected") return `${nameOf(movedBy)} rejected it${reason === null ? "." : `: ${reason}`}`;
  if (state === "expired" && replacedBy !== null) return "Another plan took its place. Nothing ran.";
  if (state === "expired") return `Expired with ${sayGiven(plan, 0)}. Nothing ran. Plan it again to ask anew.`;
  const names = [...new Set(approvals.map(({ user }) => nameOf(user)))];
  return names.length === 0 ? "Approved." : `Approved by ${listed(names)}.`;
}

/** Signatures given and needed. Those under two statements are never added up, and one person counts once. */
export interface Slots {
  readonly given: number;
  /** `null`: the plan is of before that was kept. */
  readonly needed: number | null;
}

export function slotsOf({ approvals, needed }: Pick<Plan, "approvals" | "needed">, now: number): Slots {
  const standing = approvals.filter(({ notAfter }) => Date.parse(notAfter) > now);
  const persons = [...Map.groupBy(standing, ({ id }) => id).values()].map(
    (signed) => new Set(signed.map(({ user }) => user)).size,
  );
  const given = Math.max(0, ...persons);
  return { given: needed === null ? given : Math.min(given, needed), needed };
}

/** "1 of 2", or what can be said without knowing how many are needed. */
export function sayGiven(plan: Pick<Plan, "approvals" | "needed">, now: number): string {
  const { given, needed } = slotsOf(plan, now);
  if (needed === 0) return "no host takes changes";
  return needed === null ? `${given} given` : `${given} of ${needed}`;
}

/** Names of those who approved; more than two are counted. */
export function sayApprovers({ approvals }: Pick<Plan, "approvals">, nameOf: (actor: string) => string): string {
  const names = [...new Set(approvals.map(({ user }) => nameOf(user)))];
  const more = names.length - 2;
  return more > 0 ? `${names.slice(0, 2).join(", ")} and ${more} more` : names.join(", ");
}

export interface TimeLeft {
  readonly words: string;
  /** Less than an hour. */
  readonly isSoon: boolean;
}

export function timeLeft(expiresAt: string, now: number): TimeLeft {
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return { words: "time is over", isSoon: true };
  return { words: `${spanWords(left)} left`, isSoon: left < 3_600_000 };
}

/** "A", "A and B", "A, B and C". */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** What a plan is about, in a word for each kind of operation. */
const kindWords: Readonly<Record<string, string>> = {
  "agent.update": "Agent update",
  "binary.replace": "Program",
  "file.write": "File",
  "firewall.apply": "Firewall",
  "network.wireguard": "WireGuard",
  "service.restart": "Restart of a service",
};

/** "Firewall on 12 hosts". A kind of a newer server is named as it is. */
export function sayReach({ kinds, nodes }: Pick<Plan, "kinds" | "nodes">): string {
  const words = listed(kinds.map((kind, at) => lowerAfterFirst(kindWords[kind] ?? kind, at)));
  return `${words} on ${nodes.toLocaleString("en-GB")} ${nodes === 1 ? "host" : "hosts"}`;
}

function lowerAfterFirst(word: string, at: number): string {
  return at === 0 || word === "WireGuard" ? word : word.toLowerCase();
}
