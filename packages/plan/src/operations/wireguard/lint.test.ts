import { describe, expect, test } from "vitest";
import type { LintAround } from "../../lint-finding.ts";
import { lintWireguard } from "./lint.ts";
import { wireguardKeyOf, wireguardLink, wireguardOperation as operation } from "./wireguard-cases.ts";
import type { NetworkWireguard } from "./wireguard-interface.ts";

const nothing: LintAround = { ssh: null, management: [], controlPorts: [] };
const kept = wireguardKeyOf("a");
const told = (link: object | null, publicKey = kept): Pick<LintAround, "wireguard"> => ({
  wireguard: { wg0: { publicKey, interface: link === null ? null : { ...wireguardLink, ...link } } },
});
const found = (around: Partial<LintAround>, changes: Partial<NetworkWireguard> = {}) =>
  lintWireguard({ ...operation, ...changes }, { ...nothing, ...around }).map(
    ({ severity, code, says }) => `${severity} ${code}: ${says}`,
  );
const [office, laptop] = operation.peers;
if (office === undefined || laptop === undefined) throw new Error("the sample has two peers");

test("an interface of which nothing is known, and one that is as it should be, are not remarked on", () => {
  expect(found({})).toEqual([]);
  expect(found({ wireguard: {}, ssh: { ports: [22], peers: [] } })).toEqual([]);
  expect(found(told(null))).toEqual([]);
  expect(found({ ...told({}), hostKeys: [kept, office.publicKey, laptop.publicKey] })).toEqual([]);
});

describe("whose it is", () => {
  test("is somebody else's where it has another key, none, or a preshared one", () => {
    const says = (what: string) => [
      `refuse wireguard.foreign: wg0 has ${what}: somebody else made it, and the host will refuse to change it.`,
    ];
    expect(found(told({ publicKey: wireguardKeyOf("e") }))).toEqual(says("a key that is not Gatehouse's"));
    expect(found(told({ publicKey: null }))).toEqual(says("no key"));
    const [peer] = wireguardLink.peers;
    expect(found(told({ peers: [{ ...peer, hasPresharedKey: true }] }))).toEqual(
      says("a preshared key, which no plan sets"),
    );
  });

  test("is not judged by another interface of the host", () => {
    const other = { publicKey: kept, interface: { ...wireguardLink, publicKey: null } };
    expect(found({ wireguard: { wg1: other } })).toEqual([]);
  });

  test("is refused where the plan expects another key than the host keeps", () => {
    const other = wireguardKeyOf("f");
    expect(found(told(null), { publicKey: other })).toEqual([
      `refuse wireguard.key: The plan expects the key ${other}, and the host has ${kept}: it will refuse this change.`,
    ]);
    expect(found(told(null), { publicKey: null })).toEqual([]);
    expect(found({}, { publicKey: other })).toEqual([]);
  });
});

describe("a peer", () => {
  test("whose key no host of the plan has signed is named, and nobody is where no keys are known", () => {
    expect(found({ hostKeys: [laptop.publicKey] })).toEqual([
      `warn wireguard.peer_unknown: No host of this plan has signed the key of the peer office (${office.publicKey}): whoever has it is let in.`,
    ]);
    expect(found({ hostKeys: [] })).toHaveLength(2);
  });

  test("with the host's own key is refused, whether the plan names that key or the host keeps it", () => {
    const says = `refuse wireguard.peer_self: The peer office has the key of the host itself (${office.publicKey}): WireGuard leaves it out.`;
    expect(found({}, { publicKey: office.publicKey })).toEqual([says]);
    expect(found(told(null, office.publicKey), { publicKey: null })).toEqual([says]);
    expect(found(told(null), { publicKey: null })).toEqual([]);
  });

  test("whose endpoint lies in the tunnel could not be reached", () => {
    const at = (host: string) => found({}, { peers: [{ ...office, endpoint: { host, port: 1 } }] });
    const says = (host: string) => [
      `refuse wireguard.endpoint_inside: The endpoint of office, ${host}, lies in what wg0 leads to: no packet would reach it.`,
    ];
    for (const host of ["10.9.0.77", "10.20.0.1", "fd00::77"]) expect(at(host)).toEqual(says(host));
    for (const host of ["10.8.0.1", "10.21.0.1", "fd20::1"]) expect(at(host)).toEqual([]);
    // Also in what another peer is given.
    const peers = [{ ...office, endpoint: { host: "fd20::1", port: 1 } }, laptop];
    expect(found({}, { peers })).toEqual(says("fd20::1"));
  });
});

test("public networks are named once, with how many there are: a host whose root has said nothing refuses them", () => {
  const peers = [
    { ...office, allowedIps: ["198.51.100.0/24", "10.20.0.0/16"] },
    { ...laptop, allowedIps: ["fd20::/48"] },
  ];
  const says = (what: string) => [
    `warn wireguard.reach_public: wg0 leads to ${what}: a host that keeps a way in open from everywhere, as all do unless their root says otherwise, will refuse it.`,
  ];
  expect(found({}, { peers })).toEqual(says("198.51.100.0/24, which is not private"));
  const more = [...peers, { ...office, allowedIps: ["192.0.2.0/24", "2001:db8:7::/48"] }];
  expect(found({}, { peers: more, addresses: ["198.18.0.9/24"] })).toEqual(
    says("198.18.0.0/24, which is not private, and to 3 other networks like it"),
  );
});

describe("somebody who is connected over SSH", () => {
  const ssh = (...peers: string[]) => ({ ssh: { ports: [22], peers } });
  const says = (peer: string, network: string) =>
    `refuse wireguard.ssh_cut: ${peer} is connected over SSH now, and answers to ${network} would go into wg0.`;

  test("would be cut off by a network that leads into the tunnel from now on", () => {
    expect(found(ssh("192.0.2.1", "10.20.3.4", "fd00::9"))).toEqual([
      says("10.20.3.4", "10.20.0.0/16"),
      says("fd00::9", "fd00::/64"),
    ]);
    // As an SSH server that listens on IPv6 alone tells it.
    expect(found(ssh("::ffff:10.9.0.9"))).toEqual([says("::ffff:10.9.0.9", "10.9.0.0/24")]);
  });

  test("is so also by an interface that is down, or was another", () => {
    expect(found({ ...ssh("10.20.3.4"), ...told({ isUp: false }) })).toEqual([says("10.20.3.4", "10.20.0.0/16")]);
    expect(found({ ...ssh("10.20.3.4"), ...told({ routes: ["10.21.0.0/16"] }) })).toHaveLength(1);
  });

  test("stays where the tunnel leads there already, by an address or by a route", () => {
    expect(found({ ...ssh("10.9.0.9", "10.20.3.4", "fd20::1"), ...told({}) })).toEqual([]);
    // A route that only becomes wider draws nobody in.
    expect(found({ ...ssh("10.20.3.4"), ...told({ routes: ["10.20.3.0/24"] }) })).toEqual([]);
  });

  test("is cut off by a route that is narrower than what leads there: the host may have one of its own between them", () => {
    expect(found({ ...ssh("10.20.3.4"), ...told({ routes: ["10.0.0.0/8"] }) })).toEqual([
      says("10.20.3.4", "10.20.0.0/16"),
    ]);
  });

  describe("through the tunnel", () => {
    const through = (peer: string, before: string, after: string) =>
      `refuse wireguard.ssh_cut: ${peer} is connected over SSH now, through the peer ${before} of wg0, and answers would go ${after}.`;
    const to = (key: string) => `to the peer ${key}`;

    test("stays while the same peer has the address, whatever becomes of the others", () => {
      const given = { ...told({}), ...ssh("10.9.0.3") };
      expect(found(given)).toEqual([]);
      expect(found(given, { peers: [laptop] })).toEqual([]);
    });

    test("is cut off where the address goes to another peer, or to none", () => {
      const given = { ...told({}), ...ssh("10.9.0.3", "10.20.3.4") };
      expect(found(given, { peers: [office] })).toEqual([through("10.9.0.3", laptop.publicKey, "to nobody")]);
      const swapped = [
        { ...office, allowedIps: laptop.allowedIps },
        { ...laptop, allowedIps: office.allowedIps },
      ];
      expect(found(given, { peers: swapped })).toEqual([
        through("10.9.0.3", laptop.publicKey, to(office.publicKey)),
        through("10.20.3.4", office.publicKey, to(laptop.publicKey)),
      ]);
    });

    test("is cut off by a narrower network of another peer", () => {
      const narrower = { ...laptop, allowedIps: [...laptop.allowedIps, "10.20.3.4/32"] };
      const held = told({ routes: ["10.20.0.0/16", "10.20.3.4/32"] });
      expect(found({ ...held, ...ssh("10.20.3.4", "10.20.3.5") }, { peers: [office, narrower] })).toEqual([
        through("10.20.3.4", office.publicKey, to(laptop.publicKey)),
      ]);
    });

    test("is not there where the interface is down, or does not lead there", () => {
      for (const link of [{ isUp: false }, { routes: ["fd20::/48"] }])
        expect(found({ ...told(link), ...ssh("10.20.3.4") }, { peers: [laptop] })).toEqual([]);
    });
  });
});

describe("a network from which the host is managed", () => {
  const says = (network: string, led: string) =>
    `refuse wireguard.ssh_cut: People reach the host from ${network}, and answers to ${led} would go into wg0.`;

  test("is cut off by whatever of it leads into the tunnel from now on", () => {
    expect(found({ management: ["10.20.3.0/24", "10.0.0.0/8", "192.0.2.7", "fd20::/64"] })).toEqual([
      says("10.20.3.0/24", "10.20.0.0/16"),
      says("10.0.0.0/8", "10.9.0.0/24"),
      says("fd20::/64", "fd20::/48"),
    ]);
    expect(found({ management: ["10.9.0.0/24", "10.0.0.0/8"], ...told({}) })).toEqual([]);
    expect(found({ management: ["10.0.0.0/8"], ...told({ routes: [] }) })).toEqual([
      says("10.0.0.0/8", "10.20.0.0/16"),
    ]);
  });

  test("that is everywhere is cut off by public networks alone, as hosts judge it", () => {
    const codes = (...allowedIps: string[]) =>
      lintWireguard(
        { ...operation, peers: [{ ...office, allowedIps }] },
        { ...nothing, management: ["0.0.0.0/0", "::/0"] },
      ).map(({ code }) => code);
    expect(codes("10.20.0.0/16")).toEqual([]);
    expect(codes("198.51.100.0/24")).toEqual(["wireguard.reach_public", "wireguard.ssh_cut"]);
  });

  test("is so also where its peer goes, and is told once where somebody of it is connected", () => {
    const given = { ...told({}), management: ["10.20.3.0/24"], ssh: { ports: [22], peers: ["10.20.3.4"] } };
    expect(found(given, { peers: [laptop] })).toEqual([
      `refuse wireguard.ssh_cut: 10.20.3.4 is connected over SSH now, through the peer ${office.publicKey} of wg0, and answers would go to nobody.`,
      `refuse wireguard.ssh_cut: People reach the host from 10.20.3.0/24, through the peer ${office.publicKey} of wg0, and answers would go to nobody.`,
    ]);
    expect(found({ management: ["10.20.3.4"], ssh: { ports: [22], peers: ["10.20.3.4"] } })).toHaveLength(1);
  });
});
