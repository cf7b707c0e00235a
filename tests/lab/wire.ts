import { sh } from "./lab.ts";

/**
 * The network of a lab: one bridge with the server's end at the first address, and a cable to each host. It stands in a
 * network namespace that belongs to the run, so that two runs have the same addresses and never meet, nothing leads from a
 * host to the outside, and everything is gone with the last process of the run.
 */
export const serverAddress = "192.168.77.1";
const bridge = "hosts";

/** Words for `unshare`: makes such a network, and starts a program inside. */
export function inOwnNetwork(program: string, words: readonly string[]): string[] {
  const make = [
    "ip link set lo up",
    // Otherwise it takes the lowest of its cables, and the other hosts know it by another one after each restart of a host.
    `ip link add ${bridge} address ${cardOf(1)} type bridge`,
    `ip address add ${serverAddress}/24 dev ${bridge}`,
    `ip link set ${bridge} up`,
    'exec "$@"',
  ];
  return ["--net", "sh", "-euc", make.join(" && "), "sh", program, ...words];
}

/** From the host's side. */
export type Cut = "both" | "toServer" | "fromServer";

export interface Plug {
  /** The first process of the host. Its network is new after every start. */
  readonly pid: number;
  /** Its place on the wire: the last part of the address. */
  readonly number: number;
  /** How often it was plugged in before: the end of the last cable may still be dying. */
  readonly time: number;
}

/** The wire itself has one family: nobody has to wait until the kernel has found addresses and routes of its own for it. */
const withoutIpv6 = "echo 1 > /proc/sys/net/ipv6/conf/eth0/disable_ipv6";

/** Connects a host that has just started. Whatever is cut stays cut: no packet passes before that is in force. */
export async function plugIn(plug: Plug, cut: Cut | undefined): Promise<void> {
  const pid = String(plug.pid);
  await sh("ip", ["link", "add", cableOf(plug), "type", "veth", "peer", "name", "eth0", "netns", pid]);
  await sh("ip", ["link", "set", cableOf(plug), "master", bridge]);
  if (cut !== undefined) await cutWire(plug, cut);
  await sh("ip", ["link", "set", cableOf(plug), "up"]);
  // The card keeps its address over restarts, as a real one does.
  const inside = [
    "ip link set lo up",
    withoutIpv6,
    `ip link set eth0 address ${cardOf(plug.number)}`,
    `ip address add ${addressOf(plug)}/24 dev eth0`,
    "ip link set eth0 up",
  ];
  await sh("nsenter", ["--target", pid, "--net", "sh", "-euc", inside.join(" && ")]);
}

/** For all that a host has but its cable. Nobody on the host could do it. */
export async function switchIpv6(pid: number, to: "on" | "off"): Promise<void> {
  const line = `for which in all default; do echo ${to === "on" ? 0 : 1} > /proc/sys/net/ipv6/conf/$which/disable_ipv6; done`;
  await sh("nsenter", ["--target", String(pid), "--net", "sh", "-euc", `${line}; ${withoutIpv6}`]);
}

export function addressOf({ number }: Pick<Plug, "number">): string {
  return `192.168.77.${number}`;
}

/** What is cut is dropped without a word, as on a line that is broken far away: neither side is told. */
export async function cutWire(plug: Plug, cut: Cut): Promise<void> {
  const hooks = { toServer: ["ingress"], fromServer: ["egress"], both: ["ingress", "egress"] }[cut];
  const chains = hooks.map(
    (hook) => `chain at_${hook} { type filter hook ${hook} device "${cableOf(plug)}" priority 0; drop; }`,
  );
  await sh("nft", [`table netdev ${tableOf(plug)} { ${chains.join("; ")}; }`]);
}

export async function mendWire(plug: Plug): Promise<void> {
  await sh("nft", ["delete", "table", "netdev", tableOf(plug)]);
}

/** For this host the server is gone: what is open ends, and whoever comes is turned away, as by a machine on which nobody listens. */
export async function turnAway(plug: Plug): Promise<void> {
  const rule = `ip saddr ${addressOf(plug)} tcp dport { 80, 443 } reject with tcp reset`;
  await sh("nft", [`table inet ${goneOf(plug)} { chain at_server { type filter hook input priority 0; ${rule}; }; }`]);
}

export async function letIn(plug: Plug): Promise<void> {
  await sh("nft", ["delete", "table", "inet", goneOf(plug)]);
}

/** A cable that is pulled out takes what was cut in it along; nothing tells when its other end is gone. */
export async function unplug(plug: Plug): Promise<void> {
  const { stdout } = await sh("ip", ["-json", "link", "show", "type", "veth"]);
  const cables = stdout.trim() === "" ? [] : (JSON.parse(stdout) as { readonly ifname?: string }[]);
  if (cables.some(({ ifname }) => ifname === cableOf(plug)))
    await sh("ip", ["link", "delete", cableOf(plug)]).catch(() => undefined);
  await sh("nft", [`add table netdev ${tableOf(plug)}; delete table netdev ${tableOf(plug)}`]);
}

function cardOf(number: number): string {
  return `02:00:c0:a8:4d:${number.toString(16).padStart(2, "0")}`;
}

function cableOf({ number, time }: Plug): string {
  return `host${number}-${time}`;
}

function tableOf(plug: Plug): string {
  return `cut_${plug.number}_${plug.time}`;
}

function goneOf({ number }: Pick<Plug, "number">): string {
  return `gone_for_${number}`;
}
