import {
  componentKeys,
  type ComponentSpec,
  isComponentKey,
  type LifecycleState,
  lifecycleStates,
  type Scope,
} from "@gatehouse/contract";
import { expect, test } from "vitest";
import {
  type FindComponent,
  ignoredContributions,
  judgeContributions,
  type VisibilityFacts,
  visibleContributions,
} from "./contributions.ts";
import type { PluginRecord } from "./records.ts";

const nav = (component: string, scope: Scope | null = null) => ({
  component,
  title: "A page",
  path: "/apps/netguard",
  icon: null,
  scope,
});

const contributions: PluginRecord["contributions"] = {
  nav: [nav("netguard.firewall", "plan:read"), nav("wireguard.mesh"), nav("wireguard.lines"), nav("constructor.name")],
  enhancements: [
    { surface: "fleet.map", component: "wireguard.lines" },
    { surface: "fleet.map", component: "wireguard.mesh" },
  ],
};
const record = { id: "netguard", publisher: "acme", contributions };
const shown: VisibilityFacts = { status: "active", isAvailable: true, isArmed: true, isFirstParty: true };

const reasons = (facts: VisibilityFacts, scopes: readonly Scope[], find?: FindComponent) =>
  judgeContributions(record, facts, new Set(scopes), find).map(({ visible, reason }) => (visible ? "shown" : reason));

test("of an active, armed plugin: what is known, built and authorised is shown", () => {
  const all = ["shown", "shown", "unknown", "unknown", "shown", "unknown"];
  expect(reasons(shown, ["plan:read", "node:read"])).toEqual(all);
  expect(reasons(shown, [])).toEqual(["unauthorized", "shown", "unknown", "unknown", "unauthorized", "unknown"]);
});

/** As a version without the map has the components. */
const withoutMap: FindComponent = (key) =>
  isComponentKey(key) ? { ...(componentKeys[key] as ComponentSpec), isBuilt: false } : undefined;

test("a native surface is enhanced by active first-party plugins only, for whoever may see the surface", () => {
  const of = (more: Partial<VisibilityFacts>, scopes: readonly Scope[] = ["node:read"]) =>
    reasons({ ...shown, ...more }, scopes)[4];
  expect(of({})).toBe("shown");
  expect(of({}, [])).toBe("unauthorized");
  expect(of({ isFirstParty: false })).toBe("unauthorized");
  for (const status of ["verified", "installed", "disabled"] as const) expect(of({ status })).toBe("stale");
});

test("an enhancement of a surface that does not exist is never called visible, and says so", () => {
  const [lines] = judgeContributions(record, shown, new Set(["node:read"]), withoutMap).slice(4);
  const detail = "there is no fleet.map in this version";
  expect(lines).toMatchObject({ component: "wireguard.lines", visible: false, reason: "unknown", detail });
});

test("a page of ours is for the plugin it is named after and for first-party publishers; a page for anybody is anybody's", () => {
  const pages = { nav: [nav("netguard.firewall"), nav("plugin.page")], enhancements: [] };
  const of = (id: string, isFirstParty: boolean) =>
    judgeContributions({ id, publisher: "acme", contributions: pages }, { ...shown, isFirstParty }, new Set()).map(
      ({ visible, reason, detail }) => (visible ? "shown" : `${reason}: ${detail}`),
    );
  expect(of("netguard", false)).toEqual(["shown", "shown"]);
  expect(of("acme-firewall", true)).toEqual(["shown", "shown"]);
  expect(of("acme-firewall", false)).toEqual([
    "unauthorized: it is the page of netguard, and acme is not first-party in the trust policy",
    "shown",
  ]);
});

test.each(lifecycleStates.filter((state) => state !== "active"))("a plugin at %s shows nothing", (status) => {
  const facts = { ...shown, status: status as LifecycleState };
  expect(visibleContributions(record, facts, new Set(["plan:read", "node:read"]))).toEqual([]);
  expect(reasons(facts, ["plan:read", "node:read"])).not.toContain("shown");
});

test("a bundle that is not loaded makes it stale, a runtime that is not armed makes it failed", () => {
  expect(reasons({ ...shown, isAvailable: false }, ["plan:read"])[0]).toBe("stale");
  expect(reasons({ ...shown, isArmed: false }, ["plan:read"])[0]).toBe("failed");
});

test("what the dashboard gets is exactly what is shown, with the plugin's id", () => {
  const given = visibleContributions(record, shown, new Set(["plan:read"]));
  expect(given.map(({ plugin, component }) => [plugin, component])).toEqual([
    ["netguard", "netguard.firewall"],
    ["netguard", "wireguard.mesh"],
  ]);
});

test("what is never shown is told with its reason: keys of the other kind, names that every object has, what is not its own", () => {
  const told = (isFirstParty: boolean) => ignoredContributions(record, isFirstParty).map(({ component }) => component);
  expect(told(true)).toEqual(["wireguard.lines", "constructor.name", "wireguard.mesh"]);
  expect(told(false)).toEqual([
    "wireguard.mesh",
    "wireguard.lines",
    "constructor.name",
    "wireguard.lines",
    "wireguard.mesh",
  ]);
});
