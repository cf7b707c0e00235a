import { expect, test } from "vitest";
import { sampleNode } from "../../widgets/Fleet/sample-node.ts";
import { emptyWireguard, hostRowsOf, readNetwork, sayNetwork, type WireguardFields } from "./wireguard-form.ts";

const host = (name: string, at: number) =>
  sampleNode({ id: `node_${name}`, name, address: null, addresses: at === 0 ? [] : [`192.0.2.${at}`] });
const all = [host("c", 3), host("a", 1), host("b", 2)];
const hosts = { chosen: all, asked: all };
const typed: WireguardFields = { ...emptyWireguard, name: "office" };
const wrongOf = (changes: Partial<WireguardFields>, of = hosts) => readNetwork({ ...typed, ...changes }, of).wrong;

test("the form begins with a mesh that lacks only its name", () => {
  expect(Object.keys(readNetwork(emptyWireguard, hosts).wrong)).toEqual(["name"]);
  expect(readNetwork(typed, hosts)).toEqual({
    wrong: {},
    input: {
      network: {
        name: "office",
        interface: "wg0",
        ranges: ["10.77.0.0/24"],
        listenPort: 51_820,
        shape: { form: "mesh" },
      },
      nodes: [
        { id: "node_a", number: 1, endpoint: { host: "192.0.2.1", port: 51_820 } },
        { id: "node_b", number: 2, endpoint: { host: "192.0.2.2", port: 51_820 } },
        { id: "node_c", number: 3, endpoint: { host: "192.0.2.3", port: 51_820 } },
      ],
    },
  });
});

test("what is typed takes the place of what was suggested, and an empty address is a host behind a router", () => {
  const { input, wrong } = readNetwork(
    {
      ...typed,
      range6: " fd77::/64 ",
      mtu: "1380",
      form: "hub",
      hub: "node_b",
      port: "4500",
      hosts: { node_a: { address: " ", number: "7" }, node_b: { port: "443" } },
    },
    hosts,
  );
  expect(wrong).toEqual({});
  expect(input.network).toMatchObject({
    ranges: ["10.77.0.0/24", "fd77::/64"],
    listenPort: 4_500,
    mtu: 1_380,
    shape: { form: "hub", hub: "node_b" },
  });
  expect(input.nodes).toEqual([
    { id: "node_a", number: 7 },
    { id: "node_b", number: 1, endpoint: { host: "192.0.2.2", port: 443 } },
    { id: "node_c", number: 2, endpoint: { host: "192.0.2.3", port: 4_500 } },
  ]);
});

test("a host that is left out this time keeps its number from the others, and a hub that left gives way", () => {
  const asked = all.filter(({ id }) => id !== "node_b");
  const fields = { ...typed, form: "hub", hub: "node_b" } as const;
  expect(hostRowsOf(fields, { chosen: all, asked }).map(({ number }) => number)).toEqual(["1", "3"]);
  expect(readNetwork(fields, { chosen: all, asked }).input.network.shape).toEqual({ form: "hub", hub: "node_a" });
});

test.each([
  ["name", { name: "Office" }, /begins with a letter/],
  ["interface", { interface: "eth0" }, /such as wg0/],
  ["range4", { range4: "" }, /Name a network/],
  ["range4", { range4: "10.77.0.1/24" }, /no IPv4 network/],
  ["range4", { range4: "fd77::/64" }, /no IPv4 network/],
  ["range4", { range4: "0.0.0.0/0" }, /all addresses/],
  ["range4", { range4: "8.0.0.0/7" }, /no wider than \/24, or private/],
  ["range4", { range4: "169.254.7.0/24" }, /link-local/],
  ["range6", { range6: "2001:db8::/32" }, /no wider than \/48, or private/],
  ["range6", { range6: "10.78.0.0/24" }, /no IPv6 network/],
  ["range6", { range6: "fe80::/64" }, /link-local/],
  ["range4", { range4: "127.7.0.0/24" }, /no host alone/],
  ["range4", { range4: "239.1.0.0/24" }, /no host alone/],
  ["range6", { range6: "ff05::/64" }, /no host alone/],
  ["port", { port: "0" }, /1 to 65535/],
  ["mtu", { mtu: "900" }, /From 1280/],
  ["host node_a", { hosts: { node_a: { number: "" } } }, /Give it a number/],
  ["host node_a", { hosts: { node_a: { number: "255" } } }, /no room for a number 255/],
  ["host node_b", { hosts: { node_b: { number: "1" }, node_a: { number: "1" } } }, /a has the number 1/],
  ["host node_a", { hosts: { node_a: { address: "a.example.net" } } }, /names are not looked up/],
  ["host node_a", { hosts: { node_a: { address: "10.77.0.9" } } }, /lies in the network itself/],
  ["host node_a", { hosts: { node_a: { port: "x" } } }, /Name the port/],
  ["host node_b", { hosts: { node_b: { address: "192.0.2.1" } } }, /a is reached at the same/],
  ["host node_b", { hosts: { node_a: { address: "" }, node_b: { address: "" } } }, /Neither a nor b/],
  ["host node_c", { form: "hub", hub: "node_c", hosts: { node_c: { address: "" } } }, /It is the hub/],
] as const)("a fault stands at its field: %s %#", (field, changes, words) => {
  const wrong = wrongOf(changes);
  expect(wrong[field]).toMatch(words);
  expect(Object.keys(wrong)).toEqual([field]);
});

test("IPv6 alone is a network too", () => {
  expect(readNetwork({ ...typed, range4: "", range6: "fd77::/64" }, hosts)).toMatchObject({
    wrong: {},
    input: { network: { ranges: ["fd77::/64"] } },
  });
});

test("a network is of two hosts or more, and a mesh of at most 64", () => {
  const one = all.slice(0, 1);
  expect(wrongOf({}, { chosen: one, asked: one })["hosts"]).toMatch(/two hosts/);
  const many = Array.from({ length: 65 }, (_none, at) => host(`h${at}`, at + 1));
  expect(wrongOf({}, { chosen: many, asked: many })["hosts"]).toMatch(/at most 64/);
  expect(wrongOf({ form: "hub" }, { chosen: many, asked: many })).toEqual({});
});

test("it is read out as sentences, with every host's address and that keys are made by hosts", () => {
  const fields: WireguardFields = { ...typed, range6: "fd77::/64", hosts: { node_c: { address: "" } } };
  const keys =
    "Each host makes its own key and tells the public half. No key is typed, and no private key leaves its host.";
  expect(sayNetwork(fields, hosts)).toEqual([
    "office: every host with every other, over wg0, udp 51820.",
    "a: 10.77.0.1 and fd77::1, reached at 192.0.2.1 port 51820.",
    "b: 10.77.0.2 and fd77::2, reached at 192.0.2.2 port 51820.",
    "c: 10.77.0.3 and fd77::3, behind a router, calls the others.",
    keys,
  ]);
  const said = sayNetwork({ ...fields, form: "hub" }, hosts);
  expect(said[0]).toBe("office: all hosts with a, over wg0, udp 51820.");
  expect(said.slice(-2)).toEqual(["a passes packets on only if its kernel forwards them.", keys]);
});
