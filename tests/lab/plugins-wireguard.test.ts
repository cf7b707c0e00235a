import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type NetworkWireguard, type PlanDraft, readPlanDraft, renderWireguard } from "@gatehouse/plan";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { wireguard } from "../../plugins/wireguard/src/wireguard.ts";
import { stopMs } from "../support/stopped.ts";
import { type Host, type HostPair, openHostPair } from "./namespaces.ts";
import { answeredOnce } from "./ping.ts";

/**
 * Two hosts, a plan, a tunnel. What an agent will do is done here by hand: each host makes its key where it stays, tells the
 * public half, and loads what the plan says about it with the real `wg`.
 */
const directory = mkdtempSync(join(tmpdir(), "gatehouse-wireguard-"));
let hosts: HostPair;
let plan: PlanDraft;
const keyFiles: string[] = [];

beforeAll(async () => {
  hosts = await openHostPair();
  const publicKeys: string[] = [];
  for (const [index, host] of [hosts.one, hosts.other].entries()) {
    const file = join(directory, `host-${index}.key`);
    keyFiles.push(file);
    const key = await host.run("wg", ["genkey"]);
    writeFileSync(file, key, { mode: 0o600 });
    publicKeys.push((await host.run("wg", ["pubkey"], key)).trim());
  }
  const put = () => Promise.resolve();
  const input = inputOf();
  const nodes = input.nodes.map(({ id }, index) => ({
    id,
    name: `host-${index}`,
    tags: [],
    addresses: [],
    states: [{ subject: "wireguard:wg0", state: "5e".repeat(32), publicKey: publicKeys[index] ?? "" }],
  }));
  const draft = readPlanDraft(await wireguard.actions.plan({ kv: { put } } as never, { input, nodes }));
  if (!draft.ok) throw new Error(draft.reason);
  plan = draft.value;
});
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await hosts.close();
});

const inputOf = () => ({
  network: {
    name: "lab",
    interface: "wg0",
    ranges: ["10.9.0.0/24", "fd09::/64"],
    listenPort: 51_820,
    mtu: 1_420,
    shape: { form: "mesh" },
  },
  nodes: [hosts.one, hosts.other].map((host, index) => ({
    id: `node_${String(index).padStart(26, "0")}`,
    number: index + 1,
    endpoint: { host: index === 0 ? host.inet4 : host.inet6, port: 51_820 },
  })),
});

function operationFor(index: number): NetworkWireguard {
  const [operation] = plan.sections[index]?.operations ?? [];
  if (operation?.kind !== "network.wireguard") throw new Error("the plan has no interface");
  return operation;
}

async function bringUp(host: Host, operation: NetworkWireguard, keyFile: string): Promise<void> {
  const { interface: name, addresses, mtu } = operation;
  host.start("wireguard-go", ["-f", name], { WG_I_PREFER_BUGGY_USERSPACE_TO_POLISHED_KMOD: "1", LOG_LEVEL: "error" });
  await eventually(() => host.run("ip", ["link", "show", "dev", name]));
  await eventually(() => host.run("wg", ["show", name]));
  await host.run("wg", ["setconf", name, configurationOf(operation)]);
  await host.run("wg", ["set", name, "private-key", keyFile]);
  for (const address of addresses) await host.run("ip", ["address", "add", address, "dev", name]);
  if (mtu !== undefined) await host.run("ip", ["link", "set", name, "mtu", String(mtu)]);
  await host.run("ip", ["link", "set", name, "up"]);
}

function configurationOf(operation: NetworkWireguard): string {
  const file = join(directory, `${operation.addresses[0]?.replaceAll(/[./]/g, "-")}.conf`);
  writeFileSync(file, renderWireguard(operation));
  return file;
}

describe("the plan's tunnel", () => {
  test("comes up between two hosts and carries packets, both families and both ways", async () => {
    await bringUp(hosts.one, operationFor(0), keyFiles[0] ?? "");
    await bringUp(hosts.other, operationFor(1), keyFiles[1] ?? "");
    for (const address of ["10.9.0.2", "fd09::2"]) await hosts.one.run("ping", answeredOnce(address));
    for (const address of ["10.9.0.1", "fd09::1"]) await hosts.other.run("ping", answeredOnce(address));
  });

  test("carries a TCP connection, and its bytes are counted by WireGuard", async () => {
    await hosts.other.listen(7000);
    expect(await hosts.one.connect("10.9.0.2", 7000)).toBe("open");
    const { received, sent } = await transferOf(hosts.one);
    expect(received).toBeGreaterThan(500);
    expect(sent).toBeGreaterThan(500);
  });

  test("is what the plan says: keys, ports, addresses and routes as the hosts show them", async () => {
    const shown = await hosts.one.run("wg", ["showconf", "wg0"]);
    const [peer] = operationFor(0).peers;
    expect(shown).toContain(`PublicKey = ${peer?.publicKey}`);
    expect(shown).toContain("ListenPort = 51820");
    expect(shown).toMatch(/AllowedIPs = 10\.9\.0\.2\/32, fd09::2\/128/);
    expect((await hosts.one.run("wg", ["show", "wg0", "public-key"])).trim()).toBe(operationFor(0).publicKey);
  });

  test("needs no private key to leave its host", () => {
    for (const file of keyFiles) {
      const key = readFileSync(file, "utf8").trim();
      expect(key).toMatch(/^[A-Za-z0-9+/]{43}=$/);
      expect(JSON.stringify(plan)).not.toContain(key);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
  });

  test("does not carry a host whose key is another", async () => {
    const stranger = join(directory, "stranger.key");
    writeFileSync(stranger, await hosts.other.run("wg", ["genkey"]));
    chmodSync(stranger, 0o600);
    await hosts.other.run("wg", ["set", "wg0", "private-key", stranger]);
    await hosts.one.run("wg", ["set", "wg0", "peer", operationFor(0).peers[0]?.publicKey ?? "", "remove"]);
    await hosts.one.run("wg", ["addconf", "wg0", configurationOf(operationFor(0))]);
    hosts.one.start("ping", answeredOnce("10.9.0.2"));
    // WireGuard calls again when nobody has answered its first call: by then the other had its chance.
    const calls = () => transferOf(hosts.one).then(({ sent }) => expect(sent).toBeGreaterThanOrEqual(2 * callBytes));
    await eventually(calls);
    expect(await transferOf(hosts.one)).toMatchObject({ received: 0 });
    expect((await hosts.one.run("wg", ["show", "wg0", "latest-handshakes"])).trim()).toMatch(/\t0$/);
  });
});

/** The first message of a handshake. */
const callBytes = 148;

async function transferOf(host: Host): Promise<{ received: number; sent: number }> {
  const [, received, sent] = (await host.run("wg", ["show", "wg0", "transfer"])).trim().split(/\s+/);
  return { received: Number(received), sent: Number(sent) };
}

/** Tries until it works; the last reason is given when it is stopped. */
async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  const end = performance.now() + stopMs;
  for (;;) {
    try {
      return await attempt();
    } catch (cause) {
      if (performance.now() > end) throw new Error("stopped: it never worked", { cause });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
