import { expect, test } from "vitest";
import { emptyChanges } from "../../widgets/ChangeFields/host-change.ts";
import { addChange, type Composed, composedTitle, composeWish } from "./compose-wish.ts";
import { sampleNode } from "../../widgets/Fleet/sample-node.ts";
import { emptyFirewall } from "./firewall-form.ts";
import { emptyWireguard } from "./wireguard-form.ts";

const write = { ...emptyChanges["file.write"], path: " /etc/motd", text: "hello\n" };
const restart = { kind: "service.restart", unit: "ssh.service" } as const;
const typed: Composed = {
  title: "",
  why: " A new\n greeting. ",
  changes: [
    { key: 1, change: write },
    { key: 2, change: restart },
  ],
  firewall: emptyFirewall,
  wireguard: emptyWireguard,
  input: "",
  management: "",
};
const nodes = [2, 1].map((at) => sampleNode({ id: `node_${at}`, name: `web-${at}`, addresses: [`192.0.2.${at}`] }));
const hosts = { chosen: nodes, asked: nodes, skipsAway: false };
const hand = { form: "hand" } as const;
const firewall = { form: "firewall", plugin: "netguard", title: "Firewall" } as const;

test("what was typed by hand becomes a plan that nobody is asked to review yet, the same for the same hosts in any order", () => {
  const { wish, isWhole, wrong } = composeWish(typed, hand, hosts);
  expect({ isWhole, wrong }).toEqual({ isWhole: true, wrong: {} });
  expect(wish).toEqual({
    title: "Write /etc/motd and restart ssh.service on 2 hosts",
    summary: "A new greeting.",
    operations: [{ ...write, path: "/etc/motd" }, restart],
    nodes: ["node_1", "node_2"],
    review: false,
  });
  expect(composeWish(typed, hand, { ...hosts, chosen: nodes.toReversed() }).wish).toEqual(wish);
});

test("files come before programs, and these before the services that start with them, in whatever order they are added", () => {
  const added = ["service.restart", "binary.replace", "file.write", "service.restart"] as const;
  const changes = added.reduce(addChange, typed.changes.slice(0, 1));
  expect(changes.map(({ key, change }) => [key, change.kind])).toEqual([
    [1, "file.write"],
    [4, "file.write"],
    [3, "binary.replace"],
    [2, "service.restart"],
    [5, "service.restart"],
  ]);
});

test("a title that was given stands, and one host is named", () => {
  expect(composeWish({ ...typed, title: " Greeting " }, hand, hosts).wish).toMatchObject({ title: "Greeting" });
  expect(composedTitle([restart], ["web-1"])).toBe("Restart ssh.service on web-1");
  expect(
    composedTitle(
      Array.from({ length: 20 }, () => write),
      ["web-1"],
    ).length,
  ).toBeLessThanOrEqual(120);
});

test("without hosts, a reason, or a whole change nothing is asked of a host, and each says what is missing", () => {
  const empty = {
    ...typed,
    why: " ",
    management: "10.0.0.7/8",
    changes: [{ key: 1, change: emptyChanges["file.write"] }],
  };
  const { isWhole, wrong } = composeWish(empty, hand, { chosen: [], asked: [], skipsAway: false });
  expect(isWhole).toBe(false);
  expect(Object.keys(wrong).toSorted()).toEqual(["hosts", "management", "why"]);
  expect(composeWish({ ...typed, changes: [] }, hand, hosts).isWhole).toBe(false);
});

test("an update of the agent takes the place of what is still empty, and of nothing that somebody typed", () => {
  const kindsOf = (changes: Composed["changes"]) => changes.map(({ change }) => change.kind);
  const empty = [{ key: 1, change: emptyChanges["service.restart"] }];
  expect(kindsOf(addChange(empty, "agent.update"))).toEqual(["agent.update"]);
  const begun = [{ key: 1, change: { kind: "service.restart", unit: "nginx" } }] as const;
  expect(kindsOf(addChange(begun, "agent.update"))).toEqual(["service.restart", "agent.update"]);
});

test("a plugin is asked with what its form holds, and writes title and summary itself", () => {
  const { wish, isWhole } = composeWish({ ...typed, management: "192.0.2.0/24" }, firewall, {
    ...hosts,
    skipsAway: true,
  });
  expect(isWhole).toBe(true);
  expect(wish).toMatchObject({ plugin: "netguard", skipOffline: true, management: ["192.0.2.0/24"], review: false });
  expect(wish).not.toHaveProperty("title");
  const json = { form: "json", plugin: "acme", title: "Acme" } as const;
  expect(composeWish(typed, json, hosts)).toMatchObject({ isWhole: false, wrong: { input: /as JSON/ } });
  expect(composeWish({ ...typed, input: '{"a":1}' }, json, hosts)).toMatchObject({
    isWhole: true,
    wish: { input: { a: 1 } },
  });
});

test("a network is asked for with its hosts, and from where people reach them is no part of it", () => {
  const wireguard = { form: "wireguard", plugin: "wireguard", title: "Networks" } as const;
  const named = { ...typed, management: "nonsense", wireguard: { ...emptyWireguard, name: "office" } };
  expect(composeWish(typed, wireguard, hosts).isWhole).toBe(false);
  const { wish, isWhole } = composeWish(named, wireguard, hosts);
  expect(isWhole).toBe(true);
  expect(wish).toMatchObject({
    plugin: "wireguard",
    nodes: ["node_1", "node_2"],
    input: {
      nodes: [
        { id: "node_1", number: 1 },
        { id: "node_2", number: 2 },
      ],
    },
  });
  expect(wish).not.toHaveProperty("management");
});
