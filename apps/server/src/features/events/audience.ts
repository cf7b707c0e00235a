import type { Scope } from "@gatehouse/contract";
import type { AuditRecord } from "@gatehouse/store";
import type { Principal, SeenNodes } from "../../platform/route/index.ts";

/** Which scope lets one hear of a noun's changes: the one that lets one read them. A noun that is not here is for auditors. */
const scopeOfNoun: Readonly<Record<string, Scope>> = {
  node: "node:read",
  plan: "plan:read",
  plugin: "plugin:admin",
};

/** Who hears: the scopes they hold, and the nodes they may see. */
export interface Listener extends Pick<Principal, "scopes"> {
  readonly seen: SeenNodes;
}

/** A stream never shows more than the routes do: to whom a change may be told (security class 4). */
export function mayHear({ scopes, seen }: Listener, record: Pick<AuditRecord, "action" | "subject">): boolean {
  if (!seen.isEvery) return concernsOnly(seen, record.subject) && holds(scopes, record.action);
  return scopes.has("audit:read") || holds(scopes, record.action);
}

const changingContributions: ReadonlySet<string> = new Set([
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

function holds(scopes: Principal["scopes"], action: string): boolean {
  const noun = action.slice(0, action.indexOf("."));
  const scope = Object.hasOwn(scopeOfNoun, noun) ? scopeOfNoun[noun] : undefined;
  return scopes.has(scope ?? "audit:read");
}

/** Somebody who may see only some nodes hears only of those nodes themselves. */
function concernsOnly(seen: SeenNodes, subject: string): boolean {
  return subject.startsWith("node/") && seen.has(subject.slice("node/".length));
}
