import { type NodeRecord, nodeKind } from "@gatehouse/contract/records";
import { nodeIdOf } from "@gatehouse/keys";
import type { Store } from "@gatehouse/store";
import { create } from "@gatehouse/store/decide";
import { Random } from "./random.ts";

export interface SeededFleet {
  readonly nodes: number;
  readonly seed: number;
  readonly now: number;
}

/** Writes the records of an invented fleet, each with the entry of its enrolment. No agent of it ever connects. */
export async function seedFleet(store: Pick<Store, "commit">, fleet: SeededFleet): Promise<readonly NodeRecord[]> {
  const records = inventFleet(fleet);
  for (let first = 0; first < records.length; first += atOnce) {
    await Promise.all(
      records.slice(first, first + atOnce).map((record) => {
        const { name, hostname, enrolment } = record;
        const key = nodeKind.key(record.id);
        const facts = { at: record.enrolledAt, actor: record.enrolledBy, subject: key.text };
        const detail = { name, hostname, enrolment, again: false };
        return store.commit({ ...facts, action: "node.enrolled", detail }, [create(key, record)]);
      }),
    );
  }
  return records;
}

const atOnce = 1_000;

/** The same seed gives the same fleet: long names, hosts without tags, some that told nothing, some revoked. */
export function inventFleet({ nodes, seed, now }: SeededFleet): readonly NodeRecord[] {
  const random = new Random(seed);
  return Array.from({ length: nodes }, (_none, at) => inventNode(random, at, now));
}

const places = {
  fra1: [50.11, 8.68],
  fra2: [50.05, 8.8],
  ams1: [52.37, 4.9],
  lhr2: [51.51, -0.12],
  nyc3: [40.71, -74.01],
  sjc1: [37.34, -121.89],
  sgp1: [1.35, 103.82],
  syd1: [-33.87, 151.21],
  gru1: [-23.55, -46.63],
} as const;
type SiteName = keyof typeof places;
const sites = Object.keys(places) as readonly SiteName[];
/** Of so many hosts one is where nobody has said. */
const placeless = 40;
/** More hosts than a site has are spread around it. */
const siteSize = 60;
const roles = [
  "edge",
  "web",
  "db",
  "cache",
  "storage",
  "relay",
  "mail",
  "build",
  "k8s",
  "db-primary-replica-candidate",
];
const systems = ["Debian GNU/Linux 13 (trixie)", "Debian GNU/Linux 12 (bookworm)", "Ubuntu 24.04.3 LTS"];
const allowed = [
  ["firewall.apply:gatehouse_edge", "service.restart:nginx.service", "service.restart:haproxy.service"],
  ["service.restart:postgresql.service"],
  ["file.write:/etc/postfix", "service.restart:postfix.service"],
];
const day = 24 * 60 * 60 * 1_000;

function inventNode(random: Random, at: number, now: number): NodeRecord {
  const hostKey = bytes(random);
  const site = random.pick(sites);
  const role = random.pick(roles);
  const name = `${site}-${role}-${String(at + 1).padStart(3, "0")}`;
  const enrolledAt = now - random.below(200 * day) - day;
  const isRevoked = random.chance(0.01);
  const isSilent = random.chance(0.01);
  return {
    id: nodeIdOf(hostKey),
    name,
    tags: random.chance(0.03) ? [] : [role.slice(0, 32), site],
    notes: random.chance(0.05) ? "Rack 4, remote hands only on weekdays." : "",
    hostKey: Buffer.from(hostKey).toString("base64url"),
    channelKey: Buffer.from(bytes(random)).toString("base64url"),
    channelKeyAt: enrolledAt,
    hostname: name,
    enrolledAt,
    enrolledBy: "system",
    enrolment: Buffer.from(bytes(random)).toString("hex").slice(0, 32),
    updatedAt: enrolledAt,
    ...(at % placeless !== 7 && { place: placeOf(site, at) }),
    ...(isRevoked && { revokedAt: now - random.below(day) }),
    ...(!isSilent && { facts: inventFacts(random, name, now) }),
  };
}

/** By its name and number alone, so that the rest of the fleet is the same with it. */
function placeOf(site: SiteName, at: number): NonNullable<NodeRecord["place"]> {
  const [latitude, longitude] = places[site];
  const ring = Math.floor(at / (sites.length * siteSize));
  const [north, east] = [Math.sin(ring * 2.4) * Math.sqrt(ring), Math.cos(ring * 2.4) * Math.sqrt(ring)];
  const round = (degrees: number): number => Math.round(degrees * 1e4) / 1e4;
  return {
    latitude: round(latitude + north),
    longitude: round(longitude + east * 1.4),
    label: ring === 0 ? site : `${site}-${ring}`,
  };
}

function inventFacts(random: Random, hostname: string, now: number): NonNullable<NodeRecord["facts"]> {
  const isManaged = random.chance(0.4);
  const receivedAt = now - random.below(2 * day);
  const ceiling = isManaged
    ? { allow: random.pick(allowed), level: "managed", schema: 1 }
    : { level: "monitor", schema: 1 };
  const hex = () => Buffer.from(bytes(random)).toString("hex");
  return {
    number: 1 + random.below(40),
    at: receivedAt,
    receivedAt,
    agentVersion: random.chance(0.1) ? "0.2.0" : "0.2.1-alpha.1",
    agentSha256: hex(),
    arch: random.chance(0.2) ? "arm64" : "x64",
    hostname,
    kernel: random.pick(["6.12.48+deb13-amd64", "6.1.0-40-amd64", "6.8.0-85-generic"]),
    os: random.pick(systems),
    mode: isManaged ? "managed" : "monitor",
    ceilingDigest: hex(),
    ceiling: JSON.stringify(ceiling),
    trustDigest: hex(),
    // From the documentation ranges.
    addresses: [`192.0.2.${1 + random.below(250)}`, `2001:db8:${random.below(99)}::${1 + random.below(99)}`],
    units: [
      { name: "gatehouse-agent.service", state: "active (running)" },
      { name: "gatehouse-helper.socket", state: "active (listening)" },
    ],
  };
}

function bytes(random: Random): Uint8Array {
  return Uint8Array.from({ length: 32 }, () => random.below(256));
}
