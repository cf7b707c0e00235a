import { expect, test } from "vitest";
import { updateHref } from "../../widgets/Fleet/update-href.ts";
import { noHosts } from "../../widgets/PlanHosts/plan-hosts.ts";
import { readStart, sourcesOf } from "./plan-sources.ts";

const nav = (plugin: string, component: string) => ({ plugin, kind: "nav", component, title: `Page of ${plugin}` });

test("a plan is composed by hand or with a plugin that has a page, in the form that the page stands for", () => {
  const contributed = [
    nav("netguard", "netguard.firewall"),
    nav("acme", "plugin.page"),
    nav("wireguard", "wireguard.mesh"),
    { ...nav("lines", "wireguard.lines"), kind: "enhancement" },
    nav("odd", "constructor"),
  ];
  expect(sourcesOf(contributed, undefined)).toEqual([
    { form: "hand" },
    { form: "firewall", plugin: "netguard", title: "Page of netguard" },
    { form: "json", plugin: "acme", title: "Page of acme" },
    { form: "wireguard", plugin: "wireguard", title: "Page of wireguard" },
  ]);
});

test("a plugin that the address names is offered once, whether it has a page or not", () => {
  expect(sourcesOf([nav("netguard", "netguard.firewall")], "netguard")).toHaveLength(2);
  expect(sourcesOf([], "acme")).toEqual([{ form: "hand" }, { form: "json", plugin: "acme", title: "acme" }]);
});

test("the address says with which hosts it begins, and whatever else stands there is nothing", () => {
  expect(readStart({ node: "node_1", tag: "edge", plugin: "netguard" })).toEqual({
    hosts: { ...noHosts, nodes: ["node_1"], tags: ["edge"] },
    plugin: "netguard",
    update: undefined,
  });
  const nothing = { hosts: noHosts, plugin: undefined, update: undefined };
  expect(readStart({ node: 7, tag: "" })).toEqual(nothing);
});

test("an update begins with the hosts that run one build of the agent, all of them or those with a tag", () => {
  const search = Object.fromEntries(
    new URL(updateHref({ version: "0.2.1", architecture: "x64", tag: "edge" }), "http://a").searchParams,
  );
  const update = { version: "0.2.1", architecture: "x64" };
  const hosts = { ...noHosts, agents: [{ ...update, tag: "edge" }] };
  expect(readStart(search)).toEqual({ hosts, plugin: undefined, update });
  const { tag: _, ...everywhere } = search;
  expect(readStart(everywhere).hosts.agents).toEqual([{ ...update, tag: undefined }]);
  expect(readStart({ ...search, architecture: "" }).update).toBeUndefined();
});
