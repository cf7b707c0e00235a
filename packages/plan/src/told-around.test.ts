import { expect, test } from "vitest";
import { wireguardKeyOf, wireguardLink } from "./operations/wireguard/wireguard-cases.ts";
import { aroundOfTold, hostKeysOf, keyHostsOf, publicKeyOfTold } from "./told-around.ts";

const ssh = { ports: [22], peers: ["192.0.2.1"] };
const wg0 = { publicKey: wireguardKeyOf("a"), interface: wireguardLink };
const wg1 = { publicKey: wireguardKeyOf("b"), interface: null };
const agent = { sha256: "ab".repeat(32), version: "0.2.1", architecture: "x64" };
const states = [
  { subject: "agent:self", state: agent },
  { subject: "file:/etc/motd", state: null },
  { subject: "host:ssh", state: ssh },
  { subject: "host:trust", state: { accepts: "signed", trust: null } },
  { subject: "wireguard:wg0", state: wg0 },
  { subject: "wireguard:wg1", state: wg1 },
];

test("what a host told is found by its subject", () => {
  expect(aroundOfTold(states)).toEqual({ ssh, accepts: "signed", wireguard: { wg0, wg1 }, agent });
});

test("what was not told, or has another form than it should, is not known", () => {
  const unknown = { ssh: null, accepts: null, wireguard: {} };
  expect(aroundOfTold([])).toEqual(unknown);
  const wrong = states.map(({ subject }) => ({ subject, state: { publicKey: "short", ports: ["22"], accepts: 7 } }));
  expect(aroundOfTold(wrong)).toEqual(unknown);
  expect(aroundOfTold(states.map(({ subject }) => ({ subject, state: null })))).toEqual(unknown);
  // A form of one part does not stand for another.
  expect(aroundOfTold([{ subject: "file:/wireguard:wg0", state: wg0 }])).toEqual(unknown);
});

test("a name that objects have by themselves is a name as any other", () => {
  const { wireguard } = aroundOfTold([{ subject: "wireguard:__proto__", state: wg0 }]);
  expect(Object.keys(wireguard ?? {})).toEqual(["__proto__"]);
  expect(wireguard?.["wg0"]).toBeUndefined();
});

test("the keys of all hosts are those that they keep, each once and in order", () => {
  const other = { publicKey: wireguardKeyOf("b"), interface: { ...wireguardLink, publicKey: wireguardKeyOf("e") } };
  expect(hostKeysOf([states.toReversed(), [{ subject: "wireguard:wg0", state: other }], []])).toEqual([
    wireguardKeyOf("a"),
    wireguardKeyOf("b"),
  ]);
  expect(hostKeysOf([])).toEqual([]);
});

test("a key leads to the host that told it as its own, and to all of them where there are several", () => {
  const told = keyHostsOf([
    ["web-1", states],
    ["web-2", [{ subject: "wireguard:wg0", state: wg1 }]],
    ["web-3", []],
  ]);
  expect([...told]).toEqual([
    [wireguardKeyOf("a"), ["web-1"]],
    [wireguardKeyOf("b"), ["web-1", "web-2"]],
  ]);
  const twice = [...states, { subject: "wireguard:wg2", state: wg0 }];
  expect(keyHostsOf([["web-1", twice]]).get(wireguardKeyOf("a"))).toEqual(["web-1"]);
});

test("a part has a public key where it is an interface of the right form", () => {
  expect(publicKeyOfTold({ subject: "wireguard:wg1", state: wg1 })).toBe(wireguardKeyOf("b"));
  for (const state of [null, {}, { ...wg1, publicKey: null }, { ...wg1, privateKey: wireguardKeyOf("c") }]) {
    expect(publicKeyOfTold({ subject: "wireguard:wg1", state })).toBeUndefined();
  }
  expect(publicKeyOfTold({ subject: "file:/etc/wg1", state: wg1 })).toBeUndefined();
});
