import { componentKeys, isComponentKey, type Scope, type Surface } from "@gatehouse/contract";
import type { ActiveContribution, PluginContribution } from "@gatehouse/contract/routes";
import type { PluginRecord } from "./records.ts";

/** What decides whether a plugin's contributions are shown, beside the contribution itself. */
export interface VisibilityFacts {
  readonly status: PluginRecord["status"];
  /** Whether the bundle was loaded at this start. */
  readonly isAvailable: boolean;
  readonly isArmed: boolean;
}

/** Whoever may see a surface may see what enhances it. */
const scopeOfSurface: Readonly<Record<Surface, Scope>> = { "fleet.map": "node:read" };

type Contribution = Omit<PluginContribution, "visible" | "reason">;

/** Every contribution of a record, each with a verdict for somebody who holds these scopes (contract 3.2 and 7). */
export function judgeContributions(
  record: Pick<PluginRecord, "contributions">,
  facts: VisibilityFacts,
  scopes: ReadonlySet<Scope>,
): PluginContribution[] {
  return contributionsOf(record).map((contribution) => {
    const reason = hiddenBecause(contribution, facts, scopes);
    return reason === undefined ? { ...contribution, visible: true } : { ...contribution, visible: false, reason };
  });
}

/** The contributions that are shown, as the dashboard gets them. */
export function visibleContributions(
  record: Pick<PluginRecord, "id" | "contributions">,
  facts: VisibilityFacts,
  scopes: ReadonlySet<Scope>,
): ActiveContribution[] {
  return contributionsOf(record)
    .filter((contribution) => hiddenBecause(contribution, facts, scopes) === undefined)
    .map((shown) => ({ plugin: record.id, ...shown }));
}

/** Component keys that show nothing, because the dashboard has no such component (contract 3.2). */
export function unknownComponents(record: Pick<PluginRecord, "contributions">): string[] {
  return contributionsOf(record)
    .filter((contribution) => !isKnown(contribution))
    .map(({ component }) => component);
}

function hiddenBecause(
  contribution: Contribution,
  { status, isAvailable, isArmed }: VisibilityFacts,
  scopes: ReadonlySet<Scope>,
): PluginContribution["reason"] {
  // First what no move of the plugin would change.
  if (!isKnown(contribution)) return "unknown";
  if (status !== "active" || !isAvailable) return "stale";
  if (!isArmed) return "failed";
  return contribution.scope === null || scopes.has(contribution.scope) ? undefined : "unauthorized";
}

/** A key of the other kind is as unknown as one that does not exist: a page is not drawn on a map. */
function isKnown({ component, kind }: Contribution): boolean {
  return isComponentKey(component) && componentKeys[component].kind === kind;
}

function contributionsOf({ contributions }: Pick<PluginRecord, "contributions">): Contribution[] {
  return [
    ...contributions.nav.map((nav) => ({ kind: "nav" as const, ...nav, surface: null })),
    ...contributions.enhancements.map(({ surface, component }) => ({
      kind: "enhancement" as const,
      component,
      title: null,
      path: null,
      icon: null,
      scope: scopeOfSurface[surface],
      surface,
    })),
  ];
}
