import { expect, test } from "vitest";
import type { WireguardState } from "../../states.ts";
import { diffWireguard } from "./diff.ts";
import { wireguardKeyOf, wireguardLink, wireguardOperation as operation } from "./wireguard-cases.ts";

const marks = { same: " ", added: "+", removed: "-" } as const;
const shown = (one: typeof operation, before: WireguardState | null | undefined) =>
  diffWireguard(one, before).map(({ mark, text }) => `${marks[mark]}${text}`);
const kept = wireguardKeyOf("a");
const told = (changes: object): WireguardState => ({ publicKey: kept, interface: { ...wireguardLink, ...changes } });
const changed = (lines: readonly string[]) => lines.filter((line) => !line.startsWith(" "));

const whole = [
  `key ${kept}`,
  "listens on udp 51820, mtu 1420",
  "address 10.9.0.1/24",
  "address fd00::1/64",
  "route 10.20.0.0/16",
  "route fd20::/48",
  `peer ${wireguardKeyOf("b")} (laptop)`,
  "  allowed 10.9.0.3/32",
  "  allowed fd20::/48",
  "  keepalive every 25 s",
  "  endpoint 203.0.113.7 port 1024",
  `peer ${wireguardKeyOf("c")} (office)`,
  "  allowed 10.20.0.0/16",
  "  allowed 10.9.0.2/32",
  "  allowed fd00::2/128",
  "  endpoint 2001:db8::7 port 51820",
];

test("of an interface that is not there, or of which nobody knows, is all of it", () => {
  const all = whole.map((line) => `+${line}`);
  expect(shown(operation, { publicKey: kept, interface: null })).toEqual(all);
  expect(shown(operation, undefined)).toEqual(all);
  expect(shown(operation, null)).toEqual(all);
});

test("names the key that the host keeps where the plan names none", () => {
  const any = { ...operation, publicKey: null };
  expect(shown(any, { publicKey: wireguardKeyOf("d"), interface: null })[0]).toBe(`+key ${wireguardKeyOf("d")}`);
  expect(shown(any, undefined)[0]).toBe("+key of the host");
});

test("of the same interface is none, but for endpoints: those are set anew", () => {
  const lines = shown(operation, told({}));
  expect(changed(lines)).toEqual(["+  endpoint 203.0.113.7 port 1024", "+  endpoint 2001:db8::7 port 51820"]);
  expect(lines.map((line) => line.slice(1))).toEqual(whole);
  const silent = { ...operation, peers: operation.peers.map((peer) => ({ ...peer, endpoint: undefined })) };
  expect(changed(shown(silent, told({})))).toEqual([]);
});

test("of one peer more is that peer and its routes", () => {
  const peer = { label: "new one", publicKey: wireguardKeyOf("d"), allowedIps: ["10.30.0.0/16"] };
  const silent = operation.peers.map((one) => ({ ...one, endpoint: undefined }));
  expect(changed(shown({ ...operation, peers: [...silent, peer] }, told({})))).toEqual([
    "+route 10.30.0.0/16",
    `+peer ${wireguardKeyOf("d")} (new one)`,
    "+  allowed 10.30.0.0/16",
  ]);
});

test("of an interface of another key shows what goes, also what no plan can set", () => {
  const [first, second] = wireguardLink.peers;
  const before = told({
    publicKey: null,
    isUp: false,
    firewallMark: 7,
    mtu: 1_400,
    routes: [],
    peers: [{ ...first, hasPresharedKey: true, keepaliveSeconds: 0 }, second],
  });
  expect(changed(shown(operation, before))).toEqual([
    "-key none",
    "-listens on udp 51820, mtu 1400, mark 7, down",
    `+key ${kept}`,
    "+listens on udp 51820, mtu 1420",
    "+route 10.20.0.0/16",
    "+route fd20::/48",
    "-  with a preshared key",
    "+  keepalive every 25 s",
    "+  endpoint 203.0.113.7 port 1024",
    "+  endpoint 2001:db8::7 port 51820",
  ]);
  expect(shown(operation, told({ publicKey: wireguardKeyOf("e") })).slice(0, 2)).toEqual([
    `-key ${wireguardKeyOf("e")}`,
    `+key ${kept}`,
  ]);
});
