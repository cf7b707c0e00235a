import {
  findAddress,
  findNetwork,
  findTunnelFlaw,
  hasRoomFor,
  isForHosts,
  type Prefix,
  wireguardName,
} from "@gatehouse/plan";
import {
  addressIn,
  isIn,
  mostNumber,
  type NetworkHost,
  sortByName,
  suggestAddress,
  suggestNumbers,
} from "./network-hosts.ts";

/** What somebody typed for one host. What is not there is as it was suggested. */
export interface HostFields {
  readonly number?: string;
  /** Where others reach it; empty: nowhere, it is behind a router. */
  readonly address?: string;
  readonly port?: string;
}

/** What somebody types for a WireGuard network. There is no field for a key: hosts make theirs. */
export interface WireguardFields {
  readonly name: string;
  readonly interface: string;
  readonly range4: string;
  readonly range6: string;
  readonly port: string;
  readonly mtu: string;
  readonly form: "mesh" | "hub";
  /** Of which host; empty: the first that others reach. */
  readonly hub: string;
  readonly hosts: Readonly<Record<string, HostFields>>;
}

export const emptyWireguard: WireguardFields = {
  name: "",
  interface: "wg0",
  range4: "10.77.0.0/24",
  range6: "",
  port: "51820",
  mtu: "",
  form: "mesh",
  hub: "",
  hosts: {},
};

/** Whoever was chosen has a number, also who is not asked this time. */
export interface NetworkHosts {
  readonly chosen: readonly NetworkHost[];
  readonly asked: readonly NetworkHost[];
}

/** A host's row as it stands in the form. */
export interface HostRow {
  readonly host: NetworkHost;
  readonly number: string;
  readonly address: string;
  readonly port: string;
}

/** The input of the plugin wireguard, in its own form; the plugin reads it again and refuses what it does not take. */
export interface NetworkInput {
  readonly network: {
    readonly name: string;
    readonly interface: string;
    readonly ranges: readonly string[];
    readonly listenPort: number;
    readonly mtu?: number;
    readonly shape: { readonly form: "mesh" } | { readonly form: "hub"; readonly hub: string };
  };
  readonly nodes: readonly NetworkNode[];
}

export interface NetworkNode {
  readonly id: string;
  readonly number: number;
  readonly endpoint?: { readonly host: string; readonly port: number };
}

/** By its field: `name`, `range4`; of a row: `host node_1`; of all hosts together: `hosts`. */
export type NetworkFaults = Readonly<Record<string, string>>;

/** A mesh grows with the square of its hosts. */
const mostHosts = { mesh: 64, hub: 400 } as const;

export function hostRowsOf(fields: WireguardFields, { chosen, asked }: NetworkHosts): readonly HostRow[] {
  const ranges = rangesOf(fields);
  const numbers = suggestNumbers(chosen, ranges, (id) => fields.hosts[id]?.number);
  return sortByName(asked).map((host) => {
    const typed = fields.hosts[host.id] ?? {};
    return {
      host,
      number: typed.number ?? numbers.get(host.id) ?? "",
      address: typed.address ?? suggestAddress(host, ranges),
      port: typed.port ?? fields.port,
    };
  });
}

/** The hub that was chosen, as long as it is one of the hosts. */
export function hubOf({ hub }: WireguardFields, rows: readonly HostRow[]): string {
  const isThere = rows.some(({ host }) => host.id === hub);
  const first = rows.find(({ address }) => address.trim() !== "") ?? rows[0];
  return isThere ? hub : (first?.host.id ?? "");
}

export function readNetwork(
  fields: WireguardFields,
  hosts: NetworkHosts,
): { readonly input: NetworkInput; readonly wrong: NetworkFaults } {
  const rows = hostRowsOf(fields, hosts);
  const hub = hubOf(fields, rows);
  const ranges = rangesOf(fields);
  const read = rows.map((row) => readRow(row, fields, ranges));
  const flaws = [
    ...findFieldFlaws(fields),
    ...read.flatMap(({ flaw }, at) => flawAt(keyOfRow(rows[at]), flaw)),
    ...findRowsFlaws(rows),
    ...(fields.form === "hub" ? findHubFlaws(rows, hub) : findMeshFlaws(rows)),
  ];
  const mtu = fields.mtu.trim();
  const wrong: Record<string, string> = {};
  for (const [field, why] of flaws) wrong[field] ??= why;
  return {
    wrong,
    input: {
      network: {
        name: fields.name.trim(),
        interface: fields.interface.trim(),
        ranges: [fields.range4, fields.range6].map((text) => text.trim()).filter(Boolean),
        listenPort: readWhole(fields.port, 1, 65_535) ?? 0,
        ...(mtu !== "" && { mtu: Number(mtu) }),
        shape: fields.form === "hub" ? { form: "hub", hub } : { form: "mesh" },
      },
      nodes: read.map(({ node }) => node).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    },
  };
}

type Flaw = readonly [field: string, why: string];

const keyOfRow = (row: HostRow | undefined) => `host ${row?.host.id ?? ""}`;

/** Those that can be taken; the others have their flaws. */
function rangesOf({ range4, range6 }: WireguardFields): readonly Prefix[] {
  const taken = (text: string, family: 4 | 6) =>
    findRangeFlaw(text, family) === undefined ? (findNetwork(text) ?? []) : [];
  return [taken(range4.trim(), 4), taken(range6.trim(), 6)].flat();
}

/** Undefined for whatever is no whole number from `least` to `most`. */
function readWhole(text: string, least: number, most: number): number | undefined {
  const number = /^\s*\d{1,5}\s*$/.test(text) ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : undefined;
}

function findFieldFlaws({ name, interface: link, range4, range6, port, mtu }: WireguardFields): Flaw[] {
  const [four, six] = [range4.trim(), range6.trim()];
  const isNone = four === "" && six === "";
  const isName = /^[a-z][a-z0-9-]{0,31}$/.test(name.trim());
  const isLink = wireguardName.safeParse(link.trim()).success;
  const isPort = readWhole(port, 1, 65_535) !== undefined;
  const isMtu = mtu.trim() === "" || readWhole(mtu, 1_280, 9_000) !== undefined;
  return [
    ...flawAt("name", isName ? undefined : "A name is 1 to 32 of a-z, 0-9 and -, and begins with a letter."),
    ...flawAt("interface", isLink ? undefined : "Name it wg and 1 to 12 of a-z and 0-9, such as wg0."),
    ...flawAt("range4", isNone ? `Name a network for the addresses, such as ${such[4]}.` : undefined),
    ...flawAt("range4", findRangeFlaw(four, 4)),
    ...flawAt("range6", findRangeFlaw(six, 6)),
    ...flawAt("port", isPort ? undefined : "Name a port from 1 to 65535."),
    ...flawAt("mtu", isMtu ? undefined : "From 1280 to 9000, or nothing."),
  ];
}

const flawAt = (field: string, why: string | undefined): Flaw[] => (why === undefined ? [] : [[field, why]]);
const such = { 4: "10.77.0.0/24", 6: "fd77::/64" } as const;

function findRangeFlaw(text: string, family: 4 | 6): string | undefined {
  if (text === "") return undefined;
  const found = findNetwork(text);
  if (found?.family !== family) return `${text} is no IPv${family} network, such as ${such[family]}.`;
  const flaw = findTunnelFlaw(found);
  if (flaw !== undefined) return `${text} ${flaw}.`;
  return isForHosts(found) ? undefined : `${text} has addresses that no host alone can have.`;
}

function readRow(
  { host, number, address, port }: HostRow,
  fields: WireguardFields,
  ranges: readonly Prefix[],
): { readonly node: NetworkNode; readonly flaw: string | undefined } {
  const at = address.trim();
  const found = readWhole(number, 1, mostNumber);
  const listens = readWhole(port, 1, 65_535);
  const node = { id: host.id, number: found ?? 0, ...(at !== "" && { endpoint: { host: at, port: listens ?? 0 } }) };
  const flawOf = (): string | undefined => {
    if (found === undefined) return `Give it a number from 1 to ${mostNumber}: its place in the network.`;
    if (!ranges.every((range) => hasRoomFor(range, found))) return `The network has no room for a number ${found}.`;
    if (at === "") return undefined;
    if (findAddress(at) === undefined) return `${at} is no address, such as 192.0.2.7: names are not looked up.`;
    if (isIn(at, ranges)) return `${at} lies in the network itself: name the address outside of it.`;
    // The network's own port has its flaw at its own field.
    const isWrong = listens === undefined && port !== fields.port;
    return isWrong ? "Name the port at which it is reached, from 1 to 65535." : undefined;
  };
  return { node, flaw: flawOf() };
}

function findRowsFlaws(rows: readonly HostRow[]): Flaw[] {
  const twice = (textOf: (row: HostRow) => string, why: (other: HostRow) => string) =>
    rows.flatMap((row, at): Flaw[] => {
      const text = textOf(row);
      const other = text === "" ? undefined : rows.slice(0, at).find((one) => textOf(one) === text);
      return flawAt(keyOfRow(row), other === undefined ? undefined : why(other));
    });
  return [
    ...flawAt("hosts", rows.length < 2 ? "A network needs two hosts or more: choose them above." : undefined),
    ...twice(
      ({ number }) => number.trim(),
      ({ host, number }) => `${host.name} has the number ${number.trim()}.`,
    ),
    ...twice(
      ({ address, port }) => (address.trim() === "" ? "" : `${address.trim()} ${port.trim()}`),
      ({ host }) => `${host.name} is reached at the same address and port.`,
    ),
  ];
}

function findHubFlaws(rows: readonly HostRow[], hub: string): Flaw[] {
  const row = rows.find(({ host }) => host.id === hub);
  const isMany = rows.length > mostHosts.hub;
  const isHidden = row?.address.trim() === "";
  return [
    ...flawAt("hosts", isMany ? `A hub joins at most ${mostHosts.hub} hosts.` : undefined),
    ...flawAt(keyOfRow(row), isHidden ? "It is the hub: say where the others reach it." : undefined),
  ];
}

/** Two hosts that both wait to be called never meet. */
function findMeshFlaws(rows: readonly HostRow[]): Flaw[] {
  const isMany = rows.length > mostHosts.mesh;
  const [one, other] = rows.filter(({ address }) => address.trim() === "");
  const names = `Neither ${one?.host.name} nor ${other?.host.name}`;
  return [
    ...flawAt("hosts", isMany ? `A mesh joins at most ${mostHosts.mesh} hosts: choose a hub.` : undefined),
    ...flawAt(
      keyOfRow(other),
      other === undefined ? undefined : `${names} is reached: give one an address, or choose a hub.`,
    ),
  ];
}

/** The addresses that a row's host gets; none while something of it is not readable. */
export function addressesOfRow({ number }: Pick<HostRow, "number">, fields: WireguardFields): readonly string[] {
  const found = readWhole(number, 1, mostNumber);
  if (found === undefined) return [];
  return rangesOf(fields).flatMap((range) => (hasRoomFor(range, found) ? [addressIn(range, found)] : []));
}

/** What was typed, in sentences: whoever writes reads at once who meets whom. */
export function sayNetwork(fields: WireguardFields, hosts: NetworkHosts): string[] {
  const rows = hostRowsOf(fields, hosts);
  const hub = hubOf(fields, rows);
  const nameOf = (id: string) => rows.find(({ host }) => host.id === id)?.host.name ?? "one host";
  const who = fields.form === "hub" ? `all hosts with ${nameOf(hub)}` : "every host with every other";
  return [
    `${fields.name.trim() || "The network"}: ${who}, over ${fields.interface.trim()}, udp ${fields.port.trim()}.`,
    ...rows.map((row) => {
      const own = addressesOfRow(row, fields).join(" and ") || "no address yet";
      const at =
        row.address.trim() === ""
          ? "behind a router, calls the others"
          : `reached at ${row.address.trim()} port ${row.port.trim()}`;
      return `${row.host.name}: ${own}, ${at}.`;
    }),
    ...(fields.form === "hub" ? [`${nameOf(hub)} passes packets on only if its kernel forwards them.`] : []),
    "Each host makes its own key and tells the public half. No key is typed, and no private key leaves its host.",
  ];
}
