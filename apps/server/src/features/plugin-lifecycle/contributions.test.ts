import { type LifecycleState, lifecycleStates, type Scope } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { judgeContributions, unknownComponents, type VisibilityFacts, visibleContributions } from "./contributions.ts";
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
const record = { id: "netguard", contributions };
const shown: VisibilityFacts = { status: "active", isAvailable: true, isArmed: true };

const reasons = (facts: VisibilityFacts, scopes: readonly Scope[]) =>
  judgeContributions(record, facts, new Set(scopes)).map(({ visible, reason }) => (visible ? "shown" : reason));

test("of an active, armed plugin: what is known and authorised is shown", () => {
  expect(reasons(shown, ["plan:read", "node:read"])).toEqual([
    "shown",
    "shown",
    "unknown",
    "unknown",
    "shown",
    "unknown",
  ]);
  expect(reasons(shown, [])).toEqual(["unauthorized", "shown", "unknown", "unknown", "unauthorized", "unknown"]);
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

test("a key of the other kind is unknown, and so is a name that every object has", () => {
  expect(unknownComponents(record)).toEqual(["wireguard.lines", "constructor.name", "wireguard.mesh"]);
});
