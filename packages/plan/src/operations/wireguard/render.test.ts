import { describe, expect, test } from "vitest";
import { hostileStrings } from "../../hostile-cases.ts";
import { renderConfiguration, renderLink, renderLinkLines, renderWireguard } from "./render.ts";
import { wireguardKeyOf, wireguardLink, wireguardOperation as operation } from "./wireguard-cases.ts";

describe("the text for wg", () => {
  test("has peers by their public keys, and no private key", () => {
    expect(renderWireguard(operation)).toBe(`[Interface]
ListenPort = 51820

[Peer]
PublicKey = ${wireguardKeyOf("c")}
Endpoint = [2001:db8::7]:51820
AllowedIPs = fd00::2/128, 10.9.0.2/32, 10.20.0.0/16

[Peer]
PublicKey = ${wireguardKeyOf("b")}
Endpoint = 203.0.113.7:1024
AllowedIPs = 10.9.0.3/32, fd20::/48
PersistentKeepalive = 25
`);
    expect(renderWireguard({ ...operation, peers: [] })).toBe("[Interface]\nListenPort = 51820\n");
  });

  test("of an interface that was there before has its mark, and peers that may send nothing", () => {
    const silent = { publicKey: wireguardKeyOf("d"), allowedIps: [], keepaliveSeconds: 0 };
    expect(renderConfiguration({ listenPort: 0, firewallMark: 51_820, peers: [silent] })).toBe(`[Interface]
ListenPort = 0
FwMark = 0xca6c

[Peer]
PublicKey = ${wireguardKeyOf("d")}
`);
  });
});

describe("the lines for ip", () => {
  test("take all away, then add the addresses, and the routes once it is up", () => {
    expect(renderLink(operation)).toBe(`link set dev wg0 down
address flush dev wg0
link set dev wg0 mtu 1420
address add 10.9.0.1/24 dev wg0
address add fd00::1/64 dev wg0
link set dev wg0 up
route add 10.20.0.0/16 dev wg0
route add fd20::/48 dev wg0
`);
    expect(renderLink({ ...operation, mtu: 1_280 })).toContain("link set dev wg0 mtu 1280\n");
  });

  test("of an interface that was there before are the same as of the plan that made it", () => {
    expect(renderLinkLines("wg0", wireguardLink)).toBe(renderLink(operation));
  });

  test("leave an interface down that was down, without its routes", () => {
    expect(renderLinkLines("wg1", { ...wireguardLink, isUp: false })).toBe(`link set dev wg1 down
address flush dev wg1
link set dev wg1 mtu 1420
address add 10.9.0.1/24 dev wg1
address add fd00::1/64 dev wg1
`);
  });

  test("are made for no other name than one of ours", () => {
    for (const name of ["eth0", "wg", "wg0 up", "wg0\nlink delete dev eth0", ""]) {
      expect(() => renderLinkLines(name, wireguardLink)).toThrow(/wg/);
    }
  });
});

test("an operation that the schema does not know is not turned into text", () => {
  const [office] = operation.peers;
  if (office === undefined) throw new Error("no peer");
  const evils = [
    { ...operation, interface: "eth0" },
    ...hostileStrings("10.9.0.1/24", 50).map((evil) => ({ ...operation, addresses: [evil] })),
    ...hostileStrings("10.9.0.2/32", 50).map((evil) => ({ ...operation, peers: [{ ...office, allowedIps: [evil] }] })),
    ...hostileStrings(office.publicKey, 50).map((evil) => ({ ...operation, peers: [{ ...office, publicKey: evil }] })),
    ...hostileStrings("192.0.2.1", 50).map((host) => ({
      ...operation,
      peers: [{ ...office, endpoint: { host, port: 1 } }],
    })),
  ];
  for (const evil of evils) {
    expect(() => renderWireguard(evil)).toThrow();
    expect(() => renderLink(evil)).toThrow();
  }
});
