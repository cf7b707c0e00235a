import { componentKeys, type ComponentSpec, isComponentKey, type Scope, type Surface } from "@gatehouse/contract";
import type { ActiveContribution, PluginContribution } from "@gatehouse/contract/routes";
import type { PluginRecord } from "./records.ts";

/** What decides whether a plugin's contributions are shown, beside the contribution itself. */
export interface VisibilityFacts {
  readonly status: PluginRecord["status"];
  /** Whether the bundle was loaded at this start. */
  readonly isAvailable: boolean;
  readonly isArmed: boolean;
  /** Whether the trust policy calls its publisher first-party. */
  readonly isFirstParty: boolean;
}

/** The components there are, by their keys; other ones for tests. */
export type FindComponent = (key: string) => ComponentSpec | undefined;

const ofThisBuild: FindComponent = (key) => (isComponentKey(key) ? componentKeys[key] : undefined);

/** Whoever may see a surface may see what enhances it. */
const scopeOfSurface: Readonly<Record<Surface, Scope>> = { "fleet.map": "node:read" };

type Contribution = Omit<PluginContribution, "visible" | "reason" | "detail">;
type Shown = Pick<PluginRecord, "id" | "publisher" | "contributions">;

/** Every contribution of a record, each with a verdict for somebody who holds these scopes (contract 3.2 and 7). */
export function judgeContributions(
  record: Shown,
  facts: VisibilityFacts,
  scopes: ReadonlySet<Scope>,
  find: FindComponent = ofThisBuild,
): PluginContribution[] {
  return contributionsOf(record).map((contribution) => {
    const hidden = findHindrance(record, contribution, facts, scopes, find);
    return hidden === undefined ? { ...contribution, visible: true } : { ...contribution, visible: false, ...hidden };
  });
}

/** The contributions that are shown, as the dashboard gets them. */
export function visibleContributions(
  record: Shown,
  facts: VisibilityFacts,
  scopes: ReadonlySet<Scope>,
): ActiveContribution[] {
  return contributionsOf(record)
    .filter((contribution) => findHindrance(record, contribution, facts, scopes, ofThisBuild) === undefined)
    .map((shown) => ({ plugin: record.id, ...shown }));
}

/** What this server never shows, whoever looks and whatever becomes of the plugin: each with the reason. */
export function ignoredContributions(
  record: Shown,
  isFirstParty: boolean,
): { readonly component: string; readonly reason: string }[] {
  return contributionsOf(record).flatMap((contribution) => {
    const found = findRefusal(record, contribution, isFirstParty, ofThisBuild);
    return found === undefined ? [] : [{ component: contribution.component, reason: found.detail }];
  });
}

type Hindrance = { readonly reason: NonNullable<PluginContribution["reason"]>; readonly detail?: string };

function findHindrance(
  record: Shown,
  contribution: Contribution,
  { status, isAvailable, isArmed, isFirstParty }: VisibilityFacts,
  scopes: ReadonlySet<Scope>,
  find: FindComponent,
): Hindrance | undefined {
  // First what no move of the plugin would change.
  const refusal = findRefusal(record, contribution, isFirstParty, find);
  if (refusal !== undefined) return refusal;
  if (status !== "active" || !isAvailable) return { reason: "stale" };
  if (!isArmed) return { reason: "failed" };
  return contribution.scope === null || scopes.has(contribution.scope) ? undefined : { reason: "unauthorized" };
}

function findRefusal(
  { id, publisher }: Shown,
  { component, kind, surface }: Contribution,
  isFirstParty: boolean,
  find: FindComponent,
): (Hindrance & { readonly detail: string }) | undefined {
  const spec = find(component);
  // A key of the other kind is as unknown as one that does not exist: a page is not drawn on a map.
  if (spec === undefined || spec.kind !== kind)
    return { reason: "unknown", detail: `there is no ${kind} ${component}` };
  const isOpen = spec.whose === "anybody" || spec.whose === id || isFirstParty;
  if (kind === "enhancement" ? !isFirstParty : !isOpen) {
    const owner =
      kind === "enhancement" ? `${surface ?? "it"} is for first-party plugins` : `it is the page of ${spec.whose}`;
    return { reason: "unauthorized", detail: `${owner}, and ${publisher} is not first-party in the trust policy` };
  }
  if (!spec.isBuilt) return { reason: "unknown", detail: `there is no ${surface ?? component} in this version` };
  return undefined;
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
