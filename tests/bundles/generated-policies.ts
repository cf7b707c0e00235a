import { parseTrustPolicy, type TrustPolicy } from "@gatehouse/bundle/verify";
import { isFault } from "@gatehouse/contract";
import { drawPolicy, plantedSecret, type PolicyCase } from "./policy-cases.ts";
import { Random } from "../support/random.ts";
import { sha256 } from "./sample.ts";
import { inThreads, laneCount, type Outcome, type Scenario, serveThread, Tally } from "./tally.ts";
import { slowMs, timed } from "./timed.ts";

const all = 100_000;
const shortSeconds = 12;
const fewest = 2_000;

interface Share {
  readonly seed: number;
  readonly first: number;
  readonly cases: number;
  readonly seconds: number;
}

/** Trust policies that were written by mistake or in malice: each is refused, or allows what it says to the letter. */
export const generatedPolicies: Scenario = {
  name: "generated policies",
  run: async ({ seed, short }) => {
    const cases = Math.ceil(all / laneCount);
    const shares = Array.from({ length: laneCount }, (_, lane) => ({
      seed: seed + 1,
      first: lane * cases,
      cases,
      seconds: short ? shortSeconds : Infinity,
    }));
    const tally = await inThreads<Share>(new URL(import.meta.url), shares);
    if ((tally.counts["of them taken to the letter"] ?? 0) === 0) tally.fail("not one was taken, so nothing is shown");
    return tally.outcome();
  },
};

await serveThread<Share>(readShare);

async function readShare({ seed, first, cases, seconds }: Share): Promise<Outcome> {
  const tally = new Tally();
  const deadline = performance.now() + seconds * 1_000;
  for (let number = first; number < first + cases; number += 1) {
    if (number - first >= fewest / laneCount && performance.now() > deadline) break;
    await readCase(tally, drawPolicy(new Random(seed, number)), `policy ${number}`);
  }
  return tally.outcome();
}

async function readCase(
  tally: Tally,
  { bytes, refusedFor, isControl, isPlain }: PolicyCase,
  name: string,
): Promise<void> {
  tally.count("trust policies");
  const { value: read, ms } = await timed(() => Promise.resolve(readPolicy(bytes)));
  tally.took(ms, () => `${name}, ${bytes.byteLength} bytes`);
  if (ms > slowMs) tally.fail(`${name} took ${ms.toFixed(0)} ms`);
  if (read.policy === undefined) {
    if (isControl) tally.fail(`${name} is a proper policy and is refused: ${read.detail}`);
    if (!read.isPlanned) tally.fail(`${name} threw ${read.detail}`);
    if (isPlain && read.detail.includes(plantedSecret.slice(0, 12)))
      tally.fail(`${name}: the refusal repeats a secret`);
    return;
  }
  if (refusedFor !== undefined) {
    tally.failAccepted(`${name} is taken with ${refusedFor}`);
    return;
  }
  const found = sayBack(read.policy);
  const written = sayWritten(bytes);
  if (found === written) tally.count("of them taken to the letter");
  else tally.failAccepted(`${name} is taken as ${found}, and says ${written}`);
}

function readPolicy(bytes: Uint8Array) {
  try {
    return { policy: parseTrustPolicy(bytes), detail: "", isPlanned: true };
  } catch (error) {
    const isPlanned = isFault(error, "trust.invalid");
    return { policy: undefined, detail: isPlanned ? error.detail : String(error), isPlanned };
  }
}

/** What a policy allows, in one line: as it was understood. */
function sayBack({ publishers, revoked }: TrustPolicy): string {
  const listed = [...publishers].map(([id, { keys, idPrefixes, capabilities, threshold }]) => ({
    id,
    keys: keys.map(({ id: keyId, publicKey, notAfter, key }) => [keyId, publicKey, notAfter ?? null, rawOf(key)]),
    idPrefixes,
    capabilities: [...capabilities].sort(),
    threshold,
  }));
  return JSON.stringify([listed.sort(byId), [...revoked.keys].sort(), [...revoked.digests].sort()]);
}

function rawOf(key: { export(options: { format: "jwk" }): { x?: string } }): string {
  return sha256(Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url")).slice(0, 32);
}

interface Written {
  publishers: Record<
    string,
    {
      keys: { id: string; publicKey: string; notAfter?: string }[];
      idPrefixes: string[];
      capabilities: string[];
      threshold?: number;
    }
  >;
  revoked?: { keys?: string[]; digests?: string[] };
}

/** What a policy allows, in one line: as it is written, by JSON.parse. */
function sayWritten(bytes: Uint8Array): string {
  const { publishers, revoked = {} } = JSON.parse(Buffer.from(bytes).toString("utf8")) as Written;
  const listed = Object.entries(publishers).map(([id, { keys, idPrefixes, capabilities, threshold = 1 }]) => ({
    id,
    keys: keys.map(({ id: keyId, publicKey, notAfter }) => {
      return [keyId, publicKey, notAfter === undefined ? null : Date.parse(notAfter), keyId];
    }),
    idPrefixes,
    capabilities: capabilities.toSorted(),
    threshold,
  }));
  const distinct = (items: readonly string[] = []) => [...new Set(items)].sort();
  return JSON.stringify([listed.sort(byId), distinct(revoked.keys), distinct(revoked.digests)]);
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}
