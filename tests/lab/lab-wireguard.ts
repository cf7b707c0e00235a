import { dirname } from "node:path";
import type { Approval } from "@gatehouse/approval";
import type { JsonObject } from "@gatehouse/base";
import { interfaceLinkOf, type NetworkWireguard } from "@gatehouse/plan";
import { findLiveInterface, settledLink } from "../../apps/agent/src/operations/live-interface.ts";
import type { MadeTask } from "../support/signed-task.ts";
import { until } from "../support/until.ts";
import { journalOn, lastRecordOn, lookMs, untilEnded, untilNothingIsLeft } from "./change-on-host.ts";
import { bringDirectly, makeDirectTaskFrom } from "./direct-task.ts";
import type { ManagedHost } from "./managed-host.ts";
import type { ApprovedHost } from "./managed-lab.ts";

/** The interface that the lab's plans set up, and the entry of a ceiling that lets them. */
export const labInterface = "wg0";
export const labInterfaceEntry = `network.wireguard:${labInterface}`;
const listenPort = 51_820;

/** Where a host keeps the private half of its key. */
export const keyFile = `/var/lib/gatehouse/wireguard/${labInterface}.key`;

/** A host with its place in the tunnels: the last part of its addresses there. */
export interface TunnelEnd {
  readonly host: ManagedHost;
  readonly number: number;
  readonly publicKey: string;
}

type TunnelPeer = NetworkWireguard["peers"][number];

/** An interface of one end, with these peers. */
export function interfaceOf(
  number: number,
  peers: readonly TunnelPeer[],
  more: Partial<NetworkWireguard> = {},
): NetworkWireguard {
  return {
    kind: "network.wireguard",
    interface: labInterface,
    publicKey: null,
    listenPort,
    addresses: [`10.77.0.${number}/24`, `fd77::${number}/64`],
    peers: [...peers],
    ...more,
  };
}

export function peerOf({ host, number, publicKey }: TunnelEnd): TunnelPeer {
  return {
    label: host.name,
    publicKey,
    endpoint: { host: host.address, port: listenPort },
    allowedIps: [`10.77.0.${number}/32`, `fd77::${number}/128`],
  };
}

/** For the plugin: these hosts in a mesh, in the order of their numbers. */
export function meshOf(hosts: readonly ApprovedHost[]): object {
  const nodes = hosts.map(({ node, host }, at) => {
    return { id: node.id, number: at + 1, endpoint: { host: host.address, port: listenPort } };
  });
  const network = { name: "lab", interface: labInterface, ranges: ["10.77.0.0/24", "fd77::/64"], listenPort };
  return { network: { ...network, shape: { form: "mesh" } }, nodes };
}

/** What the host itself says of an interface, without its private key and without what moves by itself; null where there is none. */
export async function interfaceOn(host: ManagedHost, name = labInterface): Promise<readonly string[] | null> {
  const link = await host.run("ip", "-oneline", "link", "show", "dev", name);
  if (link.code !== 0) return null;
  const [head = "", ...peers] = lines(await host.shell(`wg show ${name} dump`));
  const [, publicKey, port] = head.split("\t");
  const asked = [
    `ip -oneline address show dev ${name} scope global | awk '{print "address", $4}'`,
    `for family in 4 6; do ip -$family route show dev ${name} proto boot; done | awk '{print "route", $1}'`,
  ];
  return [
    `key ${publicKey}, port ${port}, ${/mtu \d+/.exec(link.stdout)?.[0]}, ${/[<,]UP[,>]/.test(link.stdout) ? "up" : "down"}`,
    ...lines(await host.shell(asked.join("\n"))).toSorted(),
    ...peers.map(sayPeer).toSorted(),
  ];
}

/** The same as a plan says it. */
export function interfaceSaid(operation: NetworkWireguard, publicKey: string): readonly string[] {
  const { listenPort: port, mtu, addresses, routes, peers } = interfaceLinkOf(operation, publicKey);
  const said = peers.map(
    ({ publicKey: key, allowedIps, keepaliveSeconds }) =>
      `peer ${key} ${allowedIps.toSorted().join(" ")} keepalive ${keepaliveSeconds || "off"} preshared no`,
  );
  return [
    `key ${publicKey}, port ${port}, mtu ${mtu}, up`,
    // A route to one address is shown without its length.
    ...[...addresses.map((text) => `address ${text}`), ...routes.map(sayRoute)].toSorted(),
    ...said.toSorted(),
  ];
}

const sayRoute = (text: string) => `route ${text.replace(/(?<=\..*)\/32$|(?<=:.*)\/128$/, "")}`;

const lines = (text: string) => text.split("\n").filter(Boolean);

function sayPeer(line: string): string {
  const [key, preshared, , allowed = "", , , , keepalive] = line.split("\t");
  return `peer ${key} ${allowed.split(",").toSorted().join(" ")} keepalive ${keepalive} preshared ${preshared === "(none)" ? "no" : "yes"}`;
}

export async function publicKeyOn(host: ManagedHost): Promise<string> {
  return (await host.shell(`wg pubkey < ${keyFile}`)).trim();
}

/** An interface for the host as it is now, approved. The host has been asked for its key before; the state is what it cannot say itself. */
export async function makeInterfaceTask(
  on: ApprovedHost,
  operation: NetworkWireguard,
  more: Partial<Approval> = {},
  state?: JsonObject,
): Promise<MadeTask> {
  const { interface: name } = operation;
  return makeDirectTaskFrom(on, operation, { [`wireguard:${name}`]: state ?? (await stateOn(on.host, name)) }, more);
}

/** Brings it to the helper by hand. */
export async function bringInterface(...made: Parameters<typeof makeInterfaceTask>): Promise<JsonObject> {
  return bringDirectly(made[0].host, await makeInterfaceTask(...made));
}

/** How such a change ends, and why. The state is what the host is like, where it cannot say so itself. */
export async function bringToEnd(on: ApprovedHost, operation: NetworkWireguard, state?: JsonObject): Promise<string> {
  const { host } = on;
  const start = await lastRecordOn(host);
  const answer = await bringInterface(on, operation, {}, state);
  if (answer["taken"] !== true) throw new Error(`the change was not taken: ${JSON.stringify(answer)}`);
  const end = await untilEnded(host, start);
  const last = (await journalOn(host)).at(-1);
  await untilNothingIsLeft(host);
  return `${end}: ${last?.kind === "ended" ? last.data.detail : ""}`;
}

/** What is left of an interface that is gone: the process behind it, and its unit. */
export async function leftOfInterface(host: ManagedHost): Promise<readonly string[]> {
  const { stdout: processes } = await host.run("pgrep", "--list-full", "wireguard-go");
  const units = await host.shell("systemctl list-units 'gatehouse-wireguard-*' --all --plain --no-legend --no-pager");
  return [...lines(processes), ...lines(units)];
}

export function untilInterfaceGone(host: ManagedHost): Promise<void> {
  const isGone = async () => (await leftOfInterface(host)).length === 0;
  return until(`nothing of an interface is left on ${host.name}`, isGone, lookMs);
}

/** Root takes it away, and what would set it up at boot: the host is as if it never had one, but for its key. */
export async function forgetInterface(host: ManagedHost): Promise<void> {
  await host.shell(
    `ip link delete ${labInterface} && cd ${dirname(keyFile)} && rm ${labInterface}.conf ${labInterface}.ip`,
  );
  await untilInterfaceGone(host);
}

/** As the agent would tell it. */
async function stateOn(host: ManagedHost, name: string): Promise<JsonObject> {
  const live = await findLiveInterface((program, words) => host.run(program, ...words), name);
  return { publicKey: await publicKeyOn(host), interface: live === null ? null : settledLink(live) };
}
