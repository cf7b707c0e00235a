import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { faultyVfs } from "@gatehouse/files/faulty";
import { type NetworkWireguard, renderLink, renderWireguard } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { Random } from "../../../../tests/support/random.ts";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { recordedHost } from "../../test/recorded-host.ts";
import { keptInterfaces } from "./keep-interface.ts";
import { keepForBoot, loadKept } from "./load-kept.ts";
import { keepWireguardKey } from "./wireguard-keys.ts";

const paths = { tables: "/state/tables", wireguard: "/state/wireguard" };
const operation: NetworkWireguard = {
  kind: "network.wireguard",
  interface: "wg0",
  publicKey: null,
  listenPort: 51_820,
  addresses: ["10.9.0.1/24"],
  peers: [],
};
const later: NetworkWireguard = { ...operation, listenPort: 4_500, addresses: ["10.9.0.2/24"] };
const bytes = (text: string) => new TextEncoder().encode(text);
const place = (name: string) => `${paths.wireguard}/${name}`;
const pause = async () => undefined;
/** The keys are on a disk of their own: whose they are is looked at there. */
const groundWith = async (vfs = faultyVfs({ directories: ["/state"] }), answers = {}, keys = ["wg0", "wg1", "wg2"]) => {
  const { root, owner, paths: own } = makeHostDirectory();
  mkdirSync(own.helperState, { recursive: true });
  for (const name of keys) await keepWireguardKey(root, name);
  const { run, lines } = recordedHost(answers);
  const keyOf = (name: string) => join(own.wireguard, `${name}.key`);
  return { ground: { vfs, paths: { ...paths, root }, owner, run, pause }, lines, vfs, keyOf };
};

test("an interface is kept as the texts that set it up, in place of what was kept of it", async () => {
  const { ground, vfs, lines, keyOf } = await groundWith();
  await keptInterfaces.keep(ground, operation);
  await keptInterfaces.keep(ground, later);
  expect(vfs.contents()).toEqual(
    new Map([
      [place("wg0.conf"), bytes(renderWireguard(later))],
      [place("wg0.ip"), bytes(renderLink(later))],
    ]),
  );
  expect(await keptInterfaces.load(ground)).toEqual({ loaded: ["wg0"], failed: [], ignored: [] });
  expect(lines).toEqual([
    "ip -json -details link show dev wg0",
    `wg setconf wg0 ${place("wg0.conf")}`,
    `wg set wg0 private-key ${keyOf("wg0")}`,
    `ip -batch ${place("wg0.ip")}`,
  ]);
});

test("whenever the power is cut, each of its files is the earlier one or the new one", async () => {
  const { ground, vfs } = await groundWith();
  await keptInterfaces.keep(ground, operation);
  const from = vfs.ops;
  await keptInterfaces.keep(ground, later);
  for (let op = from; op <= vfs.ops; op += 1) {
    const image = vfs.imageAt(op, new Random(35, op));
    expect(await keptInterfaces.load((await groundWith(image)).ground)).toMatchObject({ loaded: ["wg0"], failed: [] });
  }
});

test("what is no interface is left alone, and what is not whole sets up nothing", async () => {
  const files = {
    "wg0.conf": "",
    "wg0.ip": renderLink(operation),
    "wg1.conf": renderWireguard(operation),
    "wg2.conf": renderWireguard(operation),
    "wg2.ip": renderLink(operation),
    "eth0.conf": "x",
    "wg0.key": "x",
    "wg0.conf.tmp": "x",
  };
  const vfs = faultyVfs({
    files: new Map(Object.entries(files).map(([name, text]) => [place(name), bytes(text)])),
    directories: ["/state", paths.wireguard],
  });
  const { ground, lines } = await groundWith(vfs);
  const why = "its files do not hold the interface of their name";
  expect(await keptInterfaces.load(ground)).toEqual({
    loaded: [],
    failed: ["wg0", "wg1", "wg2"].map((name) => ({ name, why })),
    ignored: ["eth0.conf", "wg0.conf.tmp"],
  });
  expect(lines).toEqual([]);
});

test("one that cannot be set up is named, and keeps no other from it", async () => {
  const { ground } = await groundWith(undefined, { "wg setconf wg0": { code: 1, stderr: "busy\n" } });
  await keptInterfaces.keep(ground, operation);
  await keptInterfaces.keep(ground, { ...operation, interface: "wg1" });
  expect(await keptInterfaces.load(ground)).toMatchObject({
    loaded: ["wg1"],
    failed: [{ name: "wg0", why: "wg ended with 1 and said: busy" }],
  });
  const vfs = { ...ground.vfs, open: () => Promise.reject(Object.assign(new Error("bad"), { code: "EIO" })) };
  const { failed } = await keptInterfaces.load({ ...ground, vfs });
  expect(failed[0]).toEqual({ name: "wg0", why: "it cannot be read: EIO" });
});

const absent = { code: 1, stderr: 'Device "wg0" does not exist.\n' };

test("an interface without a key that wg would take is not begun", async () => {
  const { ground, lines, keyOf } = await groundWith(undefined, { "ip -json -details": absent }, []);
  await keptInterfaces.keep(ground, operation);
  expect((await keptInterfaces.load(ground)).failed).toEqual([{ name: "wg0", why: "the host keeps no key for it" }]);
  await keepWireguardKey(ground.paths.root, "wg0");
  writeFileSync(keyOf("wg0"), `${"A".repeat(42)}B=\n`);
  const why = expect.stringMatching(/wg0\.key: expected a key, found none$/);
  expect((await keptInterfaces.load(ground)).failed).toEqual([{ name: "wg0", why }]);
  expect(lines).toEqual([]);
});

test.each(["wg setconf wg0", "wg set wg0", "ip -batch"])(
  "one that was added is gone again where %j fails, and one that was there stays",
  async (failing) => {
    const answers = { [failing]: { code: 1, stderr: "busy\n" } };
    const added = await groundWith(undefined, { ...answers, "ip -json -details": absent });
    await keptInterfaces.keep(added.ground, operation);
    expect(await keptInterfaces.load(added.ground)).toMatchObject({ loaded: [], failed: [{ name: "wg0" }] });
    expect(added.lines.slice(-2)).toEqual([expect.stringContaining(failing), "ip link delete dev wg0"]);
    const { ground, lines } = await groundWith(undefined, answers);
    await keptInterfaces.keep(ground, operation);
    await keptInterfaces.load(ground);
    expect(lines.at(-1)).toContain(failing);
  },
);

test("a boot has every kind that was kept, and one that cannot be listed keeps no other from it", async () => {
  const { ground, vfs } = await groundWith();
  await keepForBoot(ground, { kind: "service.restart", unit: "web.service" });
  await keepForBoot(ground, { kind: "log.tail", source: { from: "journal", unit: "web.service" }, lines: 1 });
  expect(vfs.contents().size).toBe(0);
  await keepForBoot(ground, { kind: "firewall.apply", table: "gatehouse_a", input: { policy: "drop", rules: [] } });
  await keepForBoot(ground, operation);
  expect(await loadKept(ground)).toEqual({ loaded: ["gatehouse_a.nft", "wg0"], failed: [], ignored: [] });
  const list = (directory: string) =>
    directory === paths.tables ? Promise.reject(new Error("EIO")) : vfs.list(directory);
  expect(await loadKept({ ...ground, vfs: { ...vfs, list } })).toEqual({
    loaded: ["wg0"],
    failed: [{ name: "what was kept of firewall", why: "EIO" }],
    ignored: [],
  });
});
