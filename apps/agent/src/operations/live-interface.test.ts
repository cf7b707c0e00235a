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
  "ip -json -4 route show dev wg0": {
    stdout:
      '[{"dst":"10.9.0.0/24","protocol":"kernel"},{"dst":"10.20.0.0/16","flags":[]},{"dst":"10.3.0.7"},{"dst":"default"}]',
  },
  "ip -json -6 route show dev wg0": {
    stdout: '[{"dst":"fd00::/64","protocol":"kernel"},{"dst":"fd00:3::7"},{"dst":"default"}]',
  },
  "wg show wg0 dump": {
    stdout: `the private key\t${key("a")}\t51820\t0xca6c\n${key("c")}\tsecret\t[2001:db8::7]:51820\t10.9.0.3/32\t0\t0\t0\t25\n${key("b")}\t(none)\t203.0.113.7:4500\tfd00::2/128,10.9.0.2/32\t1700000000\t148\t92\toff\n${key("d")}\t(none)\t[fe80::1%eth0]:1\t(none)\t0\t0\t0\toff\n`,
  },
};

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
  const beginnings = Object.keys(changed);
  const others = Object.entries(answers).filter(([line]) => !beginnings.some((one) => line.startsWith(one)));
  const { run } = recordedHost({ ...Object.fromEntries(others), ...changed });
  await expect(findLiveInterface(run, "wg0")).rejects.toThrow(says);
});
