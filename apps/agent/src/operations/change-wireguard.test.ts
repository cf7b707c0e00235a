import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeVfs, type Vfs } from "@gatehouse/files";
import { type NetworkWireguard, workOfOperation } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { PretendInterfaces } from "../../test/pretend-interfaces.ts";
import type { HostRun } from "../host/run-on-host.ts";
import { changeWireguard } from "./change-wireguard.ts";
import { readWireguardState } from "./read-wireguard-state.ts";
import { findWireguardKey } from "./wireguard-keys.ts";

const key = (letter: string) => `${letter.repeat(42)}A=`;
const operation: NetworkWireguard = {
  kind: "network.wireguard",
  interface: "wg0",
  publicKey: null,
  listenPort: 51_820,
  addresses: ["10.9.0.1/24", "fd00::1/64"],
  peers: [
    {
      label: "office",
      publicKey: key("b"),
      endpoint: { host: "203.0.113.7", port: 51_820 },
      allowedIps: ["10.9.0.2/32", "10.20.0.0/16"],
      keepaliveSeconds: 25,
    },
  ],
};
const smaller: NetworkWireguard = {
  ...operation,
  listenPort: 4_500,
  mtu: 1_300,
  addresses: ["10.9.0.1/24"],
  peers: [],
};

function makeHost({ isIpv6Off = false } = {}) {
  const { root } = makeHostDirectory();
  mkdirSync(join(root, "var/lib/gatehouse"), { recursive: true });
  for (const which of ["all", "default"]) {
    mkdirSync(join(root, `proc/sys/net/ipv6/conf/${which}`), { recursive: true });
    writeFileSync(join(root, `proc/sys/net/ipv6/conf/${which}/disable_ipv6`), isIpv6Off ? "1\n" : "0\n");
  }
  const host = new PretendInterfaces();
  const directory = join(root, "task");
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  const vfs: Vfs = nodeVfs;
  const ground = { root, owner: 0, run: host.run, directory, vfs, pause };
  const state = () => readWireguardState({ root, run: host.run } as never, "wg0");
  return { root, host, ground, directory, pauses, state, key: () => findWireguardKey(root, "wg0") };
}

async function make(made: ReturnType<typeof makeHost>, wanted: NetworkWireguard): Promise<Uint8Array | null> {
  const { ground } = made;
  await changeWireguard.validate(ground, wanted);
  const copy = await changeWireguard.snapshot(ground, "wg0");
  await changeWireguard.prove(ground, "wg0", copy);
  await changeWireguard.apply(ground, wanted);
  return copy;
}

test.each([true, false])("an interface is made, changed and put back (kernel: %s)", async (hasKernel) => {
  const made = makeHost();
  made.host.hasKernel = hasKernel;
  made.host.startsInVain = hasKernel ? 0 : 2;
  const before = await made.state();
  expect(await make(made, operation)).toBeNull();
  expect(await changeWireguard.isApplied(made.ground, operation)).toBe(true);
  expect(await changeWireguard.isApplied(made.ground, smaller)).toBe(false);
  const middle = await made.state();
  expect(middle).toMatchObject({ publicKey: made.key()?.publicKey, interface: { routes: ["10.20.0.0/16"] } });

  const copy = await make(made, smaller);
  expect(await changeWireguard.isApplied(made.ground, smaller)).toBe(true);
  await changeWireguard.restore(made.ground, "wg0", copy);
  expect(await made.state()).toEqual(middle);
  expect(made.host.links.get("wg0")?.peers.get(key("b"))?.endpoint).toBe("203.0.113.7:51820");
  await changeWireguard.restore(made.ground, "wg0", copy);
  expect(await made.state()).toEqual(middle);

  await changeWireguard.restore(made.ground, "wg0", null);
  await changeWireguard.restore(made.ground, "wg0", null);
  expect(await made.state()).toEqual(before);
  expect(await changeWireguard.isApplied(made.ground, operation)).toBe(false);
  expect(made.host.lines.some((line) => line.includes(" wireguard-go "))).toBe(!hasKernel);
});

test("an interface that was down, with a mark and a route to everywhere, comes back so", async () => {
  const made = makeHost();
  await make(made, operation);
  const link = made.host.links.get("wg0");
  if (link === undefined) throw new Error("it is there");
  link.mark = "0xca6c";
  link.routes.push({ dst: "default", protocol: "static" });
  const marked = await made.state();
  await changeWireguard.restore(made.ground, "wg0", await make(made, smaller));
  expect(await made.state()).toEqual(marked);
  Object.assign(link, { isUp: false, routes: [] });
  const down = await made.state();
  await changeWireguard.restore(made.ground, "wg0", await make(made, smaller));
  expect(await made.state()).toEqual(down);
});

test("an interface whose routes could not be put back as they are is left alone, and the route named", async () => {
  const made = makeHost();
  await make(made, operation);
  const link = made.host.links.get("wg0");
  link?.routes.push({ dst: "default", metric: 5_000 });
  await changeWireguard.validate(made.ground, smaller);
  const copy = await changeWireguard.snapshot(made.ground, "wg0");
  await expect(changeWireguard.prove(made.ground, "wg0", copy)).rejects.toThrow(
    /^snapshot\.unprovable: wg0: .*the route 0\.0\.0\.0\/0 with metric 5000$/,
  );
  link?.routes.pop();
  link?.routes.push({ dst: "default", table: "51820" });
  await expect(make(made, smaller)).rejects.toThrow(/^snapshot\.unprovable: .*with table 51820$/);
  link?.routes.pop();
  await make(made, smaller);
});

test("every program that is started is one that was explained, and the texts are the explained ones", async () => {
  const made = makeHost();
  made.host.hasKernel = false;
  await make(made, operation);
  await changeWireguard.isApplied(made.ground, operation);
  await changeWireguard.restore(made.ground, "wg0", await make(made, smaller));
  await changeWireguard.restore(made.ground, "wg0", null);
  const places = { directory: made.directory, tables: "/t", wireguard: join(made.root, "var/lib/gatehouse/wireguard") };
  const work = workOfOperation(operation, places);
  const explained = new Set(work.programs.map(({ argv }) => argv.join(" ")));
  expect(made.host.lines.filter((line) => !explained.has(line))).toEqual([]);
  await changeWireguard.validate(made.ground, operation);
  for (const { path, text } of work.files.slice(0, 2)) expect(readFileSync(path, "utf8")).toBe(text);
});

test("no copy and no text has the private key", async () => {
  const made = makeHost();
  await make(made, operation);
  const copy = await make(made, smaller);
  const secret = readFileSync(made.key()?.path ?? "", "utf8").trim();
  const texts = made.host.lines.filter((line) => line.includes("setconf")).map((line) => line.split(" ").at(-1) ?? "");
  expect(texts).toHaveLength(2);
  for (const text of [...texts.map((path) => readFileSync(path, "utf8")), Buffer.from(copy ?? []).toString()])
    expect(text).not.toContain(secret);
});

const foreign = { publicKey: key("z"), listenPort: "1", mtu: 1_420 };

test.each([
  [
    "a host without wg",
    (made) => made.host.answers.set("wg --version", { code: null, stdout: "", stderr: "" }),
    /^wireguard\.absent/,
  ],
  [
    "a host that can make no interface",
    ({ host }) => {
      for (const program of ["systemd-run --quiet --wait", "wireguard-go"])
        host.answers.set(program, { code: 1, stdout: "", stderr: "" });
    },
    /^wireguard\.absent: .*found neither/,
  ],
  ["an interface of somebody else", ({ host }) => host.add("wg0", foreign), /^validate\.failed: wg0: expected the key/],
  ["an interface without a key", ({ host }) => host.add("wg0"), /^validate\.failed: .*found none/],
  [
    "another kind of interface",
    ({ host }) => host.add("wg0", { kind: "dummy" }),
    /^validate\.failed: wg0: expected an interface/,
  ],
  ["a key that is none", ({ root }) => writeKey(root, "none"), /^validate\.failed: .*wg0\.key/],
  [
    "a task that cannot be written",
    ({ directory }) => writeFileSync(directory, ""),
    /^validate\.failed: what sets up wg0/,
  ],
] satisfies [string, (made: ReturnType<typeof makeHost>) => unknown, RegExp][])(
  "%s is refused",
  async (_, spoil, says) => {
    const made = makeHost();
    spoil(made);
    await expect(changeWireguard.validate(made.ground, operation)).rejects.toThrow(says);
  },
);

function writeKey(root: string, text: string): void {
  mkdirSync(join(root, "var/lib/gatehouse/wireguard"), { recursive: true });
  writeFileSync(join(root, "var/lib/gatehouse/wireguard/wg0.key"), text, { mode: 0o600 });
}

test("a kernel that has WireGuard loaded needs neither a module to load nor a program", async () => {
  const made = makeHost();
  mkdirSync(join(made.root, "sys/module/wireguard"), { recursive: true });
  await changeWireguard.validate(made.ground, operation);
  expect(made.host.lines.some((line) => /modprobe|^wireguard-go/.test(line))).toBe(false);
});

test("a host that has IPv6 off takes no address of it", async () => {
  const made = makeHost({ isIpv6Off: true });
  await expect(changeWireguard.validate(made.ground, operation)).rejects.toThrow(/^validate\.failed: .*IPv6/);
  await changeWireguard.validate(made.ground, smaller);
  rmSync(join(made.root, "proc"), { recursive: true });
  await expect(changeWireguard.validate(made.ground, operation)).rejects.toThrow(/^validate\.failed: .*IPv6/);
});

test("a plan that expects another key, and a peer with a preshared one, are refused", async () => {
  const made = makeHost();
  await expect(changeWireguard.validate(made.ground, { ...operation, publicKey: key("z") })).rejects.toThrow(
    /^validate\.failed: wg0: expected the key/,
  );
  await make(made, { ...operation, publicKey: made.key()?.publicKey ?? "" });
  const peer = made.host.links.get("wg0")?.peers.get(key("b"));
  if (peer !== undefined) peer.preshared = "secret";
  await expect(changeWireguard.validate(made.ground, smaller)).rejects.toThrow(/preshared key, which nobody keeps/);
});

test("a program that fails names the step", async () => {
  const made = makeHost();
  await changeWireguard.validate(made.ground, operation);
  const failed = { code: 1, stdout: "", stderr: "Operation not permitted\n" };
  for (const line of ["ip -json -details link", "ip link add", "wg setconf", "ip -batch"]) {
    made.host.answers.set(line, failed);
    await expect(changeWireguard.apply(made.ground, operation), line).rejects.toThrow(
      /^apply\.failed: .*not permitted/,
    );
    made.host.answers.delete(line);
    made.host.links.clear();
  }
  made.host.answers.set("ip link delete", failed);
  await expect(changeWireguard.restore(made.ground, "wg0", null)).rejects.toThrow(/^restore\.failed/);
});

test("what wg says of a key is in no reason: it prints what it does not take", async () => {
  const made = makeHost();
  await changeWireguard.validate(made.ground, operation);
  const secret = readFileSync(made.key()?.path ?? "", "utf8").trim();
  const stderr = `Key is not the correct length or format: \`${secret}'\n`;
  made.host.answers.set("wg set wg0 private-key", { code: 1, stdout: secret, stderr });
  const failed = await changeWireguard.apply(made.ground, operation).catch((error: unknown) => error);
  expect(String(failed)).toMatch(/apply\.failed: .*wg0\.key was not taken: wg ended with 1$/);
  expect(String(failed)).not.toContain(secret);
  made.host.answers.set("wg set wg0 private-key", { code: null, stdout: secret, stderr, cut: "time" });
  await expect(changeWireguard.apply(made.ground, operation)).rejects.toThrow(/was not taken: wg took too long$/);
});

const startsOf = ({ host }: ReturnType<typeof makeHost>) =>
  host.lines.filter((line) => line.includes("-- wireguard-go ")).length;

test("a wireguard-go whose name is still taken is started again for a while", async () => {
  const made = makeHost();
  made.host.hasKernel = false;
  await changeWireguard.validate(made.ground, operation);
  const taken = { code: 1, stdout: "", stderr: "Unit gatehouse-wireguard-wg0.service was already loaded.\n" };
  made.host.answers.set("systemd-run", taken);
  await expect(changeWireguard.apply(made.ground, operation)).rejects.toThrow(/^apply\.failed: systemd-run/);
  expect(made.pauses).toEqual(Array.from({ length: 80 }, () => 250));
  expect(startsOf(made)).toBe(81);
});

test.each([
  ["ends at once", undefined, 3, /wireguard-go has no wg0: wg ended with 1 .*Protocol not supported$/],
  ["systemd does not start", { code: 1, stdout: "", stderr: "Access denied\n" }, 3, /systemd-run .*denied$/],
  ["takes too long", { code: null, stdout: "", stderr: "", cut: "time" }, 1, /systemd-run took too long$/],
] satisfies [string, HostRun | undefined, number, RegExp][])(
  "a wireguard-go that %s is said, and nothing is left of it",
  async (_, says, starts, reason) => {
    const made = makeHost();
    made.host.hasKernel = false;
    await changeWireguard.validate(made.ground, operation);
    made.host.startsInVain = 3;
    if (says !== undefined) made.host.answers.set("systemd-run", says);
    const failed = await changeWireguard.apply(made.ground, operation).catch(String);
    expect(failed).toMatch(/apply\.failed: /);
    expect(failed).toMatch(reason);
    expect(startsOf(made)).toBe(starts);
    expect(made.pauses).toEqual([]);
    expect(made.host.links.size).toBe(0);
  },
);

test("a wireguard-go that has its device and no door makes room for the next", async () => {
  const made = makeHost();
  made.host.hasKernel = false;
  await changeWireguard.validate(made.ground, operation);
  made.host.answers.set("wg show wg0 dump", { code: 1, stdout: "the private key", stderr: "No such file\n" });
  const failed = await changeWireguard.apply(made.ground, operation).catch(String);
  expect(failed).toMatch(/apply\.failed: wireguard-go has no wg0: .*No such file$/);
  expect(failed).not.toContain("private");
  expect(startsOf(made)).toBe(3);
  expect(made.host.lines.filter((line) => line === "ip link delete dev wg0")).toHaveLength(3);
  expect(made.host.links.size).toBe(0);
});

test("a name or a copy from a file is not taken at its word", async () => {
  const { ground } = makeHost();
  await expect(changeWireguard.snapshot(ground, "eth0")).rejects.toThrow(/^snapshot\.failed/);
  await expect(changeWireguard.prove(ground, "../wg0", null)).rejects.toThrow(/^snapshot\.unprovable/);
  await expect(changeWireguard.restore(ground, "lo", null)).rejects.toThrow(/^restore\.failed/);
  const bytes = new TextEncoder().encode('{"v":1}\n');
  await expect(changeWireguard.prove(ground, "wg0", bytes)).rejects.toThrow(/^snapshot\.unprovable/);
  await expect(changeWireguard.restore(ground, "wg0", bytes)).rejects.toThrow(/^restore\.failed/);
});

test("an interface with more than can be told, or that cannot be, says so", async () => {
  const made = makeHost();
  const link = made.host.add("wg0", { listenPort: "none" });
  await expect(made.state()).rejects.toThrow(/^state\.unreadable/);
  link.listenPort = "1";
  link.addresses = Array.from({ length: 257 }, (_, index) => `10.0.${index >> 8}.${index & 255}/24`);
  await expect(made.state()).rejects.toThrow(/^read\.limit/);
});
