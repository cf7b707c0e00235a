import type { Plan } from "@gatehouse/contract/routes";
import { planRights, type PlanReader } from "../../widgets/Plans/plan-rights.ts";

/** A plan in review that is not the reader's to decide, and why. */
export interface OthersPlan {
  readonly plan: Plan;
  readonly why: { readonly first: string; readonly rest: string };
}

export interface Inbox {
  readonly mine: readonly Plan[];
  readonly others: readonly OthersPlan[];
  readonly decided: readonly Plan[];
}

export interface InboxSources {
  /** Those that the server counts as waiting for the reader. */
  readonly waiting: readonly Plan[];
  readonly inReview: readonly Plan[];
  readonly newest: readonly Plan[];
}

export interface InboxReader extends PlanReader {
  readonly now: number;
  readonly isStopped: boolean;
}

const dayMs = 86_400_000;

/** What waits for the reader, what waits for others, and what was decided within a day. What ends first stands first. */
export function sortInbox({ waiting, inReview, newest }: InboxSources, reader: InboxReader): Inbox {
  const own = new Set(waiting.map(({ id }) => id));
  const others = inReview.filter(({ id }) => !own.has(id));
  return {
    mine: waiting.toSorted(soonestFirst),
    others: others.toSorted(soonestFirst).map((plan) => ({ plan, why: whyNotYours(plan, reader) })),
    decided: newest
      .filter((plan) => isDecided(plan) && reader.now - Date.parse(decidedAt(plan)) < dayMs)
      .toSorted((one, other) => Date.parse(decidedAt(other)) - Date.parse(decidedAt(one))),
  };
}

function soonestFirst(one: Plan, other: Plan): number {
  return Date.parse(one.expiresAt) - Date.parse(other.expiresAt);
}

/** The reason that the plan's own page gives, its first words apart. The server has said already that it is not the reader's. */
export function whyNotYours(plan: Plan, { now, isStopped, ...reader }: InboxReader): OthersPlan["why"] {
  const hasServerHosts = plan.approvals.some(({ kind }) => kind === "server");
  const rights = planRights(plan, reader, { now, isStopped, selfApproval: false, hasServerHosts, hasApplied: false });
  const hindrance = rights.find(({ act, may, says }) => (act === "sign" || act === "approve") && !may && says !== null);
  const [sentence = ""] = (hindrance?.says ?? "It is not yours to decide.").split(/(?<=\.) /);
  const end = sentence.indexOf(":") + 1;
  return end === 0 ? { first: sentence, rest: "" } : { first: sentence.slice(0, end), rest: sentence.slice(end) };
}

/** Nobody is asked about it any more, for whatever reason. One that nobody was asked about was not decided. */
function isDecided({ state }: Plan): boolean {
  return state !== "draft" && state !== "linted" && state !== "in_review";
}

/** When the last word about it was said. A plan that runs was decided when it was approved. */
export function decidedAt({ state, stateAt, approvals }: Plan): string {
  const isOver = state === "rejected" || state === "expired" || state === "approved";
  return isOver ? stateAt : (approvals.at(-1)?.at ?? stateAt);
}
