import { findAddress, findNetwork, interfaceName, networksOf } from "@gatehouse/plan";
import { parseTagText } from "../../widgets/Fleet/tag-text.ts";

/** A row keeps its key while others come and go. */
interface Row {
  readonly key: number;
  readonly name: string;
}

export interface ZoneRow extends Row {
  /** Networks and interfaces, as typed. */
  readonly members: string;
}

export interface ServiceRow extends Row {
  /** "tcp 80, 443". */
  readonly ports: string;
  /** Zones; nobody named is everybody. */
  readonly from: string;
  /** Only on hosts with one of these; none is every host of the plan. */
  readonly tags: string;
}

/** What somebody types for netguard. */
export interface FirewallFields {
  readonly zones: readonly ZoneRow[];
  readonly ssh: { readonly ports: string; readonly from: string };
  readonly services: readonly ServiceRow[];
  /** Hosts of the plan on which the Gatehouse server itself runs. */
  readonly control: { readonly ports: string; readonly tags: string };
}

export const emptyFirewall: FirewallFields = {
  zones: [{ key: 1, name: "office", members: "" }],
  ssh: { ports: "22", from: "" },
  services: [{ key: 1, name: "web", ports: "tcp 80, 443", from: "", tags: "" }],
  control: { ports: "", tags: "" },
};

interface PortRange {
  readonly from: number;
  readonly to: number;
}

/** The input of the plugin netguard, in its own form; the plugin reads it again and refuses what it does not take. */
export interface FirewallInput {
  readonly zones: Readonly<
    Record<string, { readonly sources?: readonly string[]; readonly interfaces?: readonly string[] }>
  >;
  readonly services: Readonly<
    Record<string, { readonly protocol: "tcp" | "udp"; readonly ports: readonly PortRange[] }>
  >;
  readonly ssh: { readonly ports: readonly number[]; readonly from?: readonly string[] };
  readonly allow: readonly {
    readonly service: string;
    readonly from: readonly string[];
    readonly tags?: readonly string[];
  }[];
  readonly control?: { readonly ports: readonly number[]; readonly tags: readonly string[] };
}

/** What is wrong, by the row: `zone 1`, `ssh`, `service 2`, `control`. */
export type FirewallFaults = Readonly<Record<string, string>>;

/** A row that is wholly empty is not meant. */
export function readFirewall(fields: FirewallFields): {
  readonly input: FirewallInput;
  readonly wrong: FirewallFaults;
} {
  const wrong: Record<string, string> = {};
  const take = <Value>(row: string, found: Found<Value>): Value | undefined => {
    if (found.ok) return found.value;
    wrong[row] ??= found.why;
    return undefined;
  };
  const zones: Record<string, FirewallInput["zones"][string]> = {};
  for (const { key, name, members } of fields.zones) {
    const row = `zone ${key}`;
    if (members.trim() === "" && (name.trim() === "" || !isUsed(fields, name))) continue;
    const called = take(row, readName(name, zones));
    const zone = take(row, readMembers(members));
    if (called !== undefined && zone !== undefined) zones[called] = zone;
  }
  const zonesIn = (text: string) => readZones(text, zones);
  const services: Record<string, FirewallInput["services"][string]> = {};
  const allow: FirewallInput["allow"][number][] = [];
  for (const { key, name, ports, from, tags } of fields.services) {
    const row = `service ${key}`;
    if (`${name}${ports}`.trim() === "") continue;
    const called = take(row, readName(name, services));
    const offered = take(row, readOffer(ports));
    const asked = take(row, zonesIn(from));
    const only = take(row, readTags(tags));
    if (called === undefined || offered === undefined || asked === undefined || only === undefined) continue;
    services[called] = offered;
    allow.push({ service: called, from: asked, ...(only.length > 0 && { tags: only }) });
  }
  const sshPorts = take("ssh", readPorts(fields.ssh.ports));
  const sshFrom = take("ssh", zonesIn(fields.ssh.from));
  const isAny = sshFrom === undefined || sshFrom.includes("any");
  const control = take("control", readControl(fields.control));
  return {
    wrong,
    input: {
      zones,
      services,
      ssh: { ports: sshPorts ?? [], ...(!isAny && { from: sshFrom }) },
      allow,
      ...(control !== undefined && control !== null && { control }),
    },
  };
}

type Found<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly why: string };
const found = <Value>(value: Value): Found<Value> => ({ ok: true, value });
const no = (why: string): Found<never> => ({ ok: false, why });
const partsOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

function isUsed({ ssh, services }: FirewallFields, name: string): boolean {
  return [ssh, ...services].some(({ from }) => partsOf(from).includes(name.trim()));
}

function readName(typed: string, others: Readonly<Record<string, unknown>>): Found<string> {
  const name = typed.trim();
  if (!/^[a-z][a-z0-9-]{0,23}$/.test(name)) return no("A name is 1 to 24 of a-z, 0-9 and -, and begins with a letter.");
  if (name === "any") return no("any is everybody, and is always there.");
  return Object.hasOwn(others, name) ? no(`${name} stands here twice.`) : found(name);
}

function readMembers(text: string): Found<FirewallInput["zones"][string]> {
  const sources: string[] = [];
  const interfaces: string[] = [];
  for (const part of partsOf(text)) {
    if (/[/:]|^[0-9.]+$/.test(part)) {
      const network = findAddress(part) === undefined ? part : `${part}/${part.includes(":") ? 128 : 32}`;
      if (findNetwork(network) === undefined) return no(`${part} is no network, such as 192.0.2.0/24.`);
      sources.push(network);
    } else if (interfaceName.safeParse(part).success) interfaces.push(part);
    else return no(`${part} is neither a network nor an interface.`);
  }
  if (sources.length + interfaces.length === 0)
    return no("Name networks, such as 192.0.2.0/24, or an interface, such as wg0.");
  if (sources.length > 0 && !networksOf(256).safeParse(sources).success)
    return no("Networks of a zone must not overlap.");
  return found({ ...(sources.length > 0 && { sources }), ...(interfaces.length > 0 && { interfaces }) });
}

function readZones(text: string, zones: FirewallInput["zones"]): Found<string[]> {
  const names = partsOf(text);
  if (names.length === 0) return found(["any"]);
  const unknown = names.find((name) => name !== "any" && !Object.hasOwn(zones, name));
  return unknown === undefined ? found([...new Set(names)]) : no(`There is no zone ${unknown} above.`);
}

function readOffer(text: string): Found<FirewallInput["services"][string]> {
  const [first = "", ...rest] = partsOf(text);
  const protocol = first.toLowerCase();
  if (protocol !== "tcp" && protocol !== "udp") return no("Write tcp or udp and the ports, such as tcp 80, 443.");
  const ports = rest.map(readRange);
  const bad = ports.indexOf(undefined);
  if (ports.length === 0 || bad !== -1)
    return no(`${rest[bad] ?? "Nothing"} is no port from 1 to 65535, and no range such as 8000-8100.`);
  return found({ protocol, ports: ports.filter((range) => range !== undefined) });
}

function readRange(text: string): PortRange | undefined {
  const [, low = "", high = low] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
  const [from, to] = [Number(low), Number(high)];
  return low !== "" && from >= 1 && from <= to && to <= 65_535 ? { from, to } : undefined;
}

function readPorts(text: string): Found<number[]> {
  const ranges = partsOf(text).map(readRange);
  const isEach = ranges.every((range) => range !== undefined && range.from === range.to);
  if (ranges.length === 0 || !isEach) return no("Name ports, such as 22.");
  return found(ranges.flatMap((range) => range?.from ?? []));
}

function readTags(text: string): Found<string[]> {
  const read = parseTagText(text);
  return "wrong" in read ? no(read.wrong) : found(read.tags);
}

function readControl({ ports, tags }: FirewallFields["control"]): Found<FirewallInput["control"] | null> {
  if (`${ports}${tags}`.trim() === "") return found(null);
  const read = readPorts(ports);
  if (!read.ok) return no("Name the ports on which the server is reached, such as 443.");
  const only = readTags(tags);
  if (!only.ok) return only;
  return only.value.length === 0 ? no("Name the tag of these hosts.") : found({ ports: read.value, tags: only.value });
}

/** What was typed, in sentences: whoever writes reads at once what it opens. */
export function sayFirewall({ zones, services, ssh, allow, control }: FirewallInput): string[] {
  const from = (names: readonly string[]) => (names.includes("any") ? "everybody" : names.map(zoneWords).join(" and "));
  const zoneWords = (name: string): string => {
    const { sources, interfaces } = zones[name] ?? {};
    const members = [sources?.join(", "), interfaces && `what comes in on ${interfaces.join(", ")}`];
    return `${name} (${members.filter(Boolean).join(", and only ")})`;
  };
  const on = (tags: readonly string[] | undefined) =>
    tags === undefined ? "" : `, on hosts with the tag ${tags.join(" or ")}`;
  return [
    `SSH, tcp ${ssh.ports.join(", ")}, from ${from(ssh.from ?? ["any"])}.`,
    ...(control === undefined
      ? []
      : [`The Gatehouse server, tcp ${control.ports.join(", ")}, from everybody${on(control.tags)}.`]),
    ...allow.map(({ service, from: asked, tags }) => {
      const { protocol, ports } = services[service] ?? { protocol: "tcp", ports: [] };
      return `${service}, ${protocol} ${ports.map(sayRange).join(", ")}, from ${from(asked)}${on(tags)}.`;
    }),
    "Whatever else comes in is dropped. What goes out is not filtered.",
  ];
}

function sayRange({ from, to }: PortRange): string {
  return from === to ? String(from) : `${from}-${to}`;
}
