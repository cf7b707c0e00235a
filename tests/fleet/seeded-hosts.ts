import { createHash } from "node:crypto";
import { decodeBase64url, encodeBase64url, readFacts } from "@gatehouse/channel";
import { type NodeRecord, nodeKind } from "@gatehouse/contract/records";
import { importPrivateKey, publicKeyBytes, signatureLength } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import { openFileStore } from "@gatehouse/store";
import { create } from "@gatehouse/store/decide";
import { inventedEntry } from "../support/invented-entry.ts";
import { PretendHost } from "../support/pretend-host.ts";

/** A fleet whose keys all follow from the seed: who keeps the records and who plays the hosts agree without a word. */
export interface SeededHosts {
  readonly seed: number;
  readonly count: number;
}

/** The host with this number. Nobody but a test may have a key that follows from a number. */
export function seededHost(seed: number, number: number): PretendHost {
  const key = (part: string) =>
    importPrivateKey(createHash("sha256").update(`gatehouse-test-fleet ${seed} ${number} ${part}`).digest());
  const hostname = `host-${String(number).padStart(5, "0")}`;
  return new PretendHost(hostname, { host: key("host"), channel: key("channel") });
}

/**
 * Writes the records of a fleet into a data directory that no server has open. Ten thousand enrolments through the API would
 * take minutes; the records are the ones that it would have made.
 */
export async function seedHosts(directory: string, { seed, count }: SeededHosts): Promise<void> {
  const store = await openFileStore({ directory });
  const at = Date.now();
  for (let first = 0; first < count; first += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, count - first) }, (_, place) => first + place);
    const records = numbers.map((number) => recordOf(seededHost(seed, number), at));
    const entry = { at, actor: "system", action: "node.seeded", subject: "node/seeded", detail: { first } };
    await store.commit(
      inventedEntry(entry),
      records.map((record) => create(nodeKind.key(record.id), record)),
    );
  }
  await store.close();
}

/** A record with its facts takes a kilobyte; a commit has room for a thousand of these. */
const atOnce = 500;

function recordOf(host: PretendHost, at: number): NodeRecord {
  return {
    id: host.nodeId,
    name: host.hostname,
    tags: ["seeded"],
    notes: "",
    hostKey: encodeBase64url(publicKeyBytes(host.hostKey)),
    channelKey: encodeBase64url(publicKeyBytes(host.channelKey)),
    channelKeyAt: at,
    hostname: host.hostname,
    enrolledAt: at,
    enrolledBy: "system",
    enrolment: "seeded",
    updatedAt: at,
    facts: factsOf(host, at),
  };
}

/** What the server keeps of the facts that the host sends: with the same ones after a hello nothing changes. */
function factsOf(host: PretendHost, at: number): NonNullable<NodeRecord["facts"]> {
  const { signed, ceiling, addresses, units } = host.facts();
  const read = readSigned(decodeBase64url(signed), [signatureLength], readFacts)?.value;
  if (read === undefined) throw new Error("the facts of a pretended host cannot be read");
  return {
    number: read.number,
    at,
    receivedAt: at,
    ...read.facts,
    ceilingDigest: Buffer.from(read.ceilingDigest).toString("hex"),
    ceiling: Buffer.from(decodeBase64url(ceiling) ?? []).toString(),
    trustDigest: Buffer.from(read.trustDigest).toString("hex"),
    addresses,
    units,
  };
}
