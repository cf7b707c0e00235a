import { type Json, type JsonObject, parseStrictJson } from "@gatehouse/base";
import { fault } from "@gatehouse/contract/faults";
import { ipWords, isLinkLocal, type RenderedPeer, wgWords, type WireguardLink } from "@gatehouse/plan";
import type { HostRun, RunOnHost } from "../host/run-on-host.ts";
import { failedProgram } from "./failed-program.ts";
import { routesTold, specialAddress, specialRoutes, type ToldAddress, type ToldRoute } from "./plain-parts.ts";

/** An interface as it is now, with what moves by itself and has to come back with it. */
export interface LiveInterface extends Omit<WireguardLink, "peers"> {
  readonly peers: readonly (WireguardLink["peers"][number] & Pick<RenderedPeer, "endpoint">)[];
  /** What putting it back would lose, in words: the first of it. Absent where that is nothing. */
  readonly special?: readonly string[] | undefined;
}

/** What the kernel, and the program behind the interface, say of it; null when there is none. */
export async function findLiveInterface(run: RunOnHost, name: string): Promise<LiveInterface | null> {
  const link = await findLink(run, name);
  if (link === null) return null;
  const listed = (await readList(run, ipWords.addresses(name))).flatMap(addressesOf);
  const routes = [...(await readRoutes(run, 4, name)), ...(await readRoutes(run, 6, name))];
  const dump = await run("wg", wgWords.dump(name));
  // What it has said until then may be the private key.
  if (dump.code !== 0) throw failedProgram("wg", { ...dump, stdout: "" });
  return {
    ...link,
    ...parseDump(dump.stdout),
    addresses: listed.map(({ text }) => text).toSorted(),
    routes: routesTold(routes),
    ...specialOf([...listed.flatMap(specialAddress), ...specialRoutes(routes)]),
  };
}

/** As many as a reason can name. */
const mostSpecial = 4;

function specialOf(all: readonly string[]): Pick<LiveInterface, "special"> {
  return all.length === 0 ? {} : { special: all.slice(0, mostSpecial) };
}

/** The same without what moves by itself, and in the words of plans. */
export function settledLink(live: LiveInterface): WireguardLink {
  const { publicKey: own, listenPort, mtu, firewallMark, isUp, addresses, routes, peers } = live;
  return {
    publicKey: own,
    listenPort,
    mtu,
    firewallMark,
    isUp,
    addresses,
    routes,
    peers: peers.map(({ publicKey, allowedIps, keepaliveSeconds, hasPresharedKey }) => ({
      publicKey,
      allowedIps,
      keepaliveSeconds,
      hasPresharedKey,
    })),
  };
}

/** Whether `ip` was there and has found no such interface. */
export function hasNoLink({ code, stderr }: HostRun): boolean {
  return code !== null && code !== 0 && /does not exist|Cannot find device/.test(stderr);
}

/** What the kernel calls an interface of WireGuard, and one that wireguard-go has. */
const kinds: readonly unknown[] = ["wireguard", "tun"];

async function findLink(run: RunOnHost, name: string): Promise<Pick<WireguardLink, "mtu" | "isUp"> | null> {
  const ran = await run("ip", ipWords.link(name));
  if (hasNoLink(ran)) return null;
  const [link] = parseList(ran);
  const { mtu, flags, linkinfo } = link ?? {};
  const kind = isObject(linkinfo) ? linkinfo["info_kind"] : undefined;
  if (!kinds.includes(kind))
    throw fault("state.unreadable", `${name}: expected an interface of WireGuard, found another`);
  if (typeof mtu !== "number" || !Array.isArray(flags)) throw unread();
  return { mtu, isUp: flags.includes("UP") };
}

async function readList(run: RunOnHost, words: readonly string[]): Promise<JsonObject[]> {
  return parseList(await run("ip", words));
}

const listJson = { depth: 16, keys: 1_000_000, items: 1_000_000 };

function parseList(ran: HostRun): JsonObject[] {
  if (ran.code !== 0) throw failedProgram("ip", ran);
  // Of nothing some versions say nothing.
  const read = parseStrictJson(ran.stdout.trim() === "" ? "[]" : ran.stdout, listJson);
  if (!read.ok || !Array.isArray(read.value) || !(read.value as Json[]).every(isObject)) throw unread();
  return read.value as JsonObject[];
}

function addressesOf({ addr_info: all }: JsonObject): ToldAddress[] {
  if (!Array.isArray(all)) throw unread();
  return (all as Json[]).flatMap((one) => {
    const told = isObject(one) ? one : {};
    const { local, prefixlen } = told;
    if (typeof local !== "string" || typeof prefixlen !== "number") throw unread();
    const text = `${local}/${prefixlen}`;
    // The kernel gives and takes those by itself.
    return isLinkLocal(text) ? [] : [{ text, told }];
  });
}

async function readRoutes(run: RunOnHost, family: 4 | 6, name: string): Promise<ToldRoute[]> {
  return (await readList(run, ipWords.routes(family, name))).map((told) => {
    const { dst } = told;
    if (typeof dst !== "string") throw unread();
    return { family, told: { ...told, dst } };
  });
}

/** What `wg show <interface> dump` prints. The first column of its first line is the private key, and is left there. */
function parseDump(text: string): Pick<LiveInterface, "publicKey" | "listenPort" | "firewallMark" | "peers"> {
  const [head, ...rest] = text.split("\n").filter((line) => line !== "");
  const [, publicKey, listenPort, mark] = head?.split("\t") ?? [];
  if (publicKey === undefined || listenPort === undefined || mark === undefined) throw unread();
  return {
    publicKey: publicKey === nothing ? null : publicKey,
    listenPort: Number(listenPort),
    firewallMark: mark === "off" ? 0 : Number(mark),
    peers: rest.map(parsePeer).toSorted((one, other) => (one.publicKey < other.publicKey ? -1 : 1)),
  };
}

const nothing = "(none)";

function parsePeer(line: string): LiveInterface["peers"][number] {
  const [publicKey, preshared, endpoint, allowed, , , , keepalive] = line.split("\t");
  if (publicKey === undefined || allowed === undefined || keepalive === undefined) throw unread();
  return {
    publicKey,
    allowedIps: allowed === nothing ? [] : allowed.split(",").toSorted(),
    keepaliveSeconds: keepalive === "off" ? 0 : Number(keepalive),
    hasPresharedKey: preshared !== nothing,
    ...endpointOf(endpoint ?? nothing),
  };
}

/** One on the link itself is left out: it is found again by what the peer sends. */
function endpointOf(text: string): Pick<RenderedPeer, "endpoint"> {
  const [, six, four, port] = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+)):([0-9]+)$/.exec(text) ?? [];
  const host = six ?? four;
  return host === undefined ? {} : { endpoint: { host, port: Number(port) } };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unread(): Error {
  return fault("state.unreadable", "expected what ip and wg say of an interface, found something else");
}
