import type { AuditAction, Scope } from "@gatehouse/contract";
import type { RecordKind } from "@gatehouse/contract/records";
import type { AuditRecord } from "@gatehouse/store";
import type { Principal, SeenNodes } from "../../platform/route/index.ts";

/** Which scope lets one hear of a noun's changes: the one that lets one read them. A noun that is not here is for auditors. */
export type Audience = ReadonlyMap<string, Scope>;

/** The noun of an action is the name of the kind of record that it changes. */
export function audienceOf(kinds: readonly RecordKind[]): Audience {
  return new Map(kinds.flatMap(({ name, heardWith }) => (heardWith === undefined ? [] : [[name, heardWith]])));
}

/** Who hears: the scopes they hold, and the nodes they may see. */
export interface Listener extends Pick<Principal, "scopes"> {
  readonly seen: SeenNodes;
}

/** What a change says of itself to those who decide who hears it. */
type Heard = Pick<AuditRecord, "action" | "subject">;

/** A stream never shows more than the routes do: to whom a change may be told (security class 4). */
export function mayHear(audience: Audience, { scopes, seen }: Listener, { action, subject }: Heard): boolean {
  const isOfNoun = scopes.has(audience.get(nounOf(action)) ?? "audit:read");
  return seen.isEvery ? isOfNoun || scopes.has("audit:read") : isOfNoun && concernsOnly(seen, subject);
}

/** Which of these nodes somebody may hear of. */
export function visibleTo({ scopes, seen }: Listener, nodes: readonly string[]): readonly string[] {
  return scopes.has("node:read") ? nodes.filter((node) => seen.has(node)) : [];
}

/** How far hosts are with a plan: for whoever may read plans, which are of all nodes. */
export function mayHearSteps({ scopes, seen }: Listener): boolean {
  return scopes.has("plan:read") && seen.isEvery;
}

/** Actions as the log has them: it may hold those of other versions too. */
const changingContributions: ReadonlySet<string> = new Set<AuditAction>([
  "plugin.activated",
  "plugin.disabled",
  "plugin.superseded",
]);

/**
 * Whether somebody's navigation may have changed. Everybody who is signed in is told that much, without a word about which
 * plugin it was: what they may see of it, the contributions' own route says.
 */
export function changesContributions({ action }: Pick<AuditRecord, "action">): boolean {
  return changingContributions.has(action);
}

function nounOf(action: string): string {
  return action.slice(0, action.indexOf("."));
}

/** Somebody who may see only some nodes hears only of those nodes themselves. */
function concernsOnly(seen: SeenNodes, subject: string): boolean {
  return subject.startsWith("node/") && seen.has(subject.slice("node/".length));
}
