import { expect, test } from "vitest";
import { recordedHost } from "../../test/recorded-host.ts";
import { findLiveInterface, settledLink } from "./live-interface.ts";

const key = (letter: string) => `${letter.repeat(42)}A=`;
const link = '[{"ifname":"wg0","flags":["POINTOPOINT","NOARP","UP"],"mtu":1420,"linkinfo":{"info_kind":"wireguard"}}]';
const answers = {
  "ip -json -details link show dev wg0": { stdout: link },
  "ip -json address show dev wg0": {
    stdout:
      '[{"addr_info":[{"family":"inet6","local":"fd00::1","prefixlen":64},{"family":"inet","local":"10.9.0.1","prefixlen":24},{"family":"inet6","local":"fe80::1","prefixlen":64,"scope":"link"}]}]',
  },
  "ip -json -4 route show table all dev wg0": {
    stdout:
      '[{"dst":"10.9.0.0/24","protocol":"kernel","scope":"link","prefsrc":"10.9.0.1","flags":["linkdown"]},{"dst":"10.20.0.0/16","scope":"link","flags":[]},{"dst":"10.3.0.7","protocol":"static"},{"dst":"default","scope":"link"},{"type":"local","dst":"10.9.0.1","table":"local","protocol":"kernel","scope":"host","prefsrc":"10.9.0.1"}]',
  },
  "ip -json -6 route show table all dev wg0": {
    stdout:
      '[{"dst":"fd00::/64","protocol":"kernel","metric":256,"flags":[],"pref":"medium"},{"dst":"fd00:3::7","metric":1024,"pref":"medium"},{"dst":"default","metric":1024},{"type":"multicast","dst":"ff00::/8","table":"local","metric":256}]',
  },
  "wg show wg0 dump": {
    stdout: `the private key\t${key("a")}\t51820\t0xca6c\n${key("c")}\tsecret\t[2001:db8::7]:51820\t10.9.0.3/32\t0\t0\t0\t25\n${key("b")}\t(none)\t203.0.113.7:4500\tfd00::2/128,10.9.0.2/32\t1700000000\t148\t92\toff\n${key("d")}\t(none)\t[fe80::1%eth0]:1\t(none)\t0\t0\t0\toff\n`,
  },
};

function answersBut(beginnings: readonly string[]) {
  const others = Object.entries(answers).filter(([line]) => !beginnings.some((one) => line.startsWith(one)));
  return Object.fromEntries(others);
}

test("an interface is read with everything that a change would replace, and sorted", async () => {
  const live = await findLiveInterface(recordedHost(answers).run, "wg0");
  expect(live).toEqual({
    publicKey: key("a"),
    listenPort: 51_820,
    mtu: 1_420,
    firewallMark: 0xca6c,
    isUp: true,
    addresses: ["10.9.0.1/24", "fd00::1/64"],
    routes: ["0.0.0.0/0", "10.20.0.0/16", "10.3.0.7/32", "::/0", "fd00:3::7/128"],
    peers: [
      {
        publicKey: key("b"),
        allowedIps: ["10.9.0.2/32", "fd00::2/128"],
        keepaliveSeconds: 0,
        hasPresharedKey: false,
        endpoint: { host: "203.0.113.7", port: 4_500 },
      },
      {
        publicKey: key("c"),
        allowedIps: ["10.9.0.3/32"],
        keepaliveSeconds: 25,
        hasPresharedKey: true,
        endpoint: { host: "2001:db8::7", port: 51_820 },
      },
      { publicKey: key("d"), allowedIps: [], keepaliveSeconds: 0, hasPresharedKey: false },
    ],
  });
  expect(JSON.stringify(live)).not.toMatch(/private|secret/);
});

test("what moves by itself is left out of its state", async () => {
  const live = await findLiveInterface(recordedHost(answers).run, "wg0");
  if (live === null) throw new Error("it is there");
  expect(JSON.stringify(settledLink(live))).not.toMatch(/endpoint|203\.0\.113|1700000000|148/);
});

const inOrder = (family: 4 | 6, routes: readonly object[]) => ({
  [`ip -json -${family} route`]: { stdout: JSON.stringify(routes) },
});
const ofAddress = (more: object) => ({
  "ip -json address": {
    stdout: JSON.stringify([{ addr_info: [{ local: "10.9.0.1", prefixlen: 24, ...more }] }]),
  },
});
const kernels = { protocol: "kernel", scope: "link", prefsrc: "10.9.0.1" };

test.each([
  ["a metric", inOrder(4, [{ dst: "default", scope: "link", metric: 5_000 }]), "the route 0.0.0.0/0 with metric 5000"],
  ["IPv6's other metric", inOrder(6, [{ dst: "fd02::/64", metric: 7 }]), "the route fd02::/64 with metric 7"],
  [
    "a gateway",
    inOrder(4, [{ dst: "10.22.0.0/16", gateway: "10.9.0.7" }]),
    "the route 10.22.0.0/16 with gateway 10.9.0.7",
  ],
  [
    "an address to send from",
    inOrder(4, [{ dst: "10.23.0.0/16", scope: "link", prefsrc: "10.9.0.9" }]),
    "the route 10.23.0.0/16 with prefsrc 10.9.0.9",
  ],
  ["a type", inOrder(4, [{ type: "multicast", dst: "239.1.1.1" }]), "the route 239.1.1.1/32 with type multicast"],
  ["a size of its own", inOrder(4, [{ dst: "10.0.0.0/8", metrics: [{ mtu: 1_200 }] }]), /with metrics .*1200/],
  ["a preference", inOrder(6, [{ dst: "default", metric: 1_024, pref: "high" }]), "the route ::/0 with pref high"],
  ["another table", inOrder(4, [{ dst: "default", table: "51820" }]), "the route 0.0.0.0/0 with table 51820"],
  ["a second of its kind", inOrder(4, [{ dst: "10.0.0.0/8" }, { dst: "10.0.0.0/8", protocol: "static" }]), /twice$/],
  [
    "one where the kernel has its own",
    inOrder(4, [{ dst: "10.9.0.0/24", ...kernels }, { dst: "10.9.0.0/24" }]),
    "the route 10.9.0.0/24 twice",
  ],
  ["a peer's address", ofAddress({ address: "10.8.0.2" }), "the address 10.9.0.1/24 with address 10.8.0.2"],
  ["an address without a route", ofAddress({ noprefixroute: true }), "the address 10.9.0.1/24 with noprefixroute true"],
] as const)("%s is named as what would not come back", async (_, changed, says) => {
  const live = await findLiveInterface(recordedHost({ ...changed, ...answersBut(Object.keys(changed)) }).run, "wg0");
  expect(live?.special).toEqual([typeof says === "string" ? says : expect.stringMatching(says)]);
  if (live !== null) expect(Object.keys(settledLink(live))).not.toContain("special");
});

test("routes that are as the kernel gives them come back, beside its own ones with another metric", async () => {
  const six = inOrder(6, [
    { dst: "fd00::/64", protocol: "kernel", metric: 256, pref: "medium" },
    { dst: "fd00::/64", metric: 1_024, flags: [], pref: "medium" },
  ]);
  const live = await findLiveInterface(recordedHost({ ...six, ...answersBut(Object.keys(six)) }).run, "wg0");
  expect(live).not.toHaveProperty("special");
  expect(live?.routes).toContain("fd00::/64");
});

test("of much that would not come back the first is named", async () => {
  const four = inOrder(
    4,
    Array.from({ length: 9 }, (_, metric) => ({ dst: "default", metric: metric + 1 })),
  );
  const live = await findLiveInterface(recordedHost({ ...four, ...answersBut(Object.keys(four)) }).run, "wg0");
  expect(live?.special).toHaveLength(4);
});

test("an interface without a key, and one that is down, are told as such", async () => {
  const { run } = recordedHost({
    "ip -json -details link": { stdout: link.replace(',"UP"', "").replace("wireguard", "tun") },
    "ip -json address": { stdout: '[{"addr_info":[]}]' },
    "wg show wg0 dump": { stdout: "(none)\t(none)\t0\toff\n" },
  });
  expect(await findLiveInterface(run, "wg0")).toMatchObject({
    publicKey: null,
    isUp: false,
    firewallMark: 0,
    peers: [],
  });
});

test("where there is no interface nothing more is asked", async () => {
  const { run, lines } = recordedHost({ ip: { code: 1, stderr: 'Device "wg0" does not exist.\n' } });
  expect(await findLiveInterface(run, "wg0")).toBeNull();
  expect(lines).toHaveLength(1);
});

test.each([
  ["no program", { ip: undefined }, /^state\.unreadable: ip cannot be started/],
  [
    "another kind of interface",
    { "ip -json -details": { stdout: link.replace("wireguard", "dummy") } },
    /found another/,
  ],
  ["an interface without a kind", { "ip -json -details": { stdout: '[{"mtu":1,"flags":[]}]' } }, /found another/],
  ["nothing at all", { "ip -json -details": { stdout: "" } }, /found another/],
  ["no mtu", { "ip -json -details": { stdout: link.replace("1420", '"x"') } }, /found something else/],
  ["what is no list", { "ip -json address": { stdout: "{}" } }, /found something else/],
  ["no addresses", { "ip -json address": { stdout: "[{}]" } }, /found something else/],
  ["an address without a length", { "ip -json address": { stdout: '[{"addr_info":[{"local":"10.0.0.1"}]}]' } }, /else/],
  ["an address that is none", { "ip -json address": { stdout: '[{"addr_info":[7]}]' } }, /found something else/],
  ["a route to nowhere", { "ip -json -4 route": { stdout: "[{}]" } }, /found something else/],
  [
    "a wg that does not know it",
    { "wg show": { code: 1, stderr: "Unable to access interface\n" } },
    /^state\.unreadable: wg ended/,
  ],
  ["an empty dump", { "wg show": { stdout: "" } }, /found something else/],
  ["half a peer", { "wg show": { stdout: `x\t(none)\t1\toff\n${key("b")}\n` } }, /found something else/],
] as const)("%s is said", async (_, changed, says) => {
  const { run } = recordedHost({ ...answersBut(Object.keys(changed)), ...changed });
  await expect(findLiveInterface(run, "wg0")).rejects.toThrow(says);
});
