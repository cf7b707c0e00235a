import { parseTrustPolicy, type TrustPolicy } from "@gatehouse/bundle/verify";
import { isFault } from "@gatehouse/contract";
import { inThreads, type Share, serveThread } from "../support/lanes.ts";
import { Random } from "../support/random.ts";
import type { Scenario, Tally } from "../support/scenario.ts";
import { wronglyAccepted } from "./harms.ts";
import { drawPolicy, plantedSecret, type PolicyCase } from "./policy-cases.ts";
import { sha256 } from "./sample.ts";
import { largeBytes, mostSteps } from "./step-limits.ts";
import { withSteps } from "./steps.ts";

interface Order {
  readonly seed: number;
  readonly policies: number;
}

/** Trust policies that were written by mistake or in malice: each is refused, or allows what it says to the letter. */
export const generatedPolicies: Scenario<"bundles:hostile"> = {
  name: "generated policies",
  run: async ({ seed, counts: { policies } }) => {
    const tally = await inThreads<Order>(new URL(import.meta.url), { seed: seed + 1, policies });
    if ((tally.counts["taken to the letter"] ?? 0) === 0) tally.fail("not one was taken, so nothing is shown");
    return tally.outcome();
  },
};

await serveThread<Order>(readShare);

async function readShare({ seed, policies }: Order, share: Share, tally: Tally): Promise<void> {
  const large: number[] = [];
  for (const number of share(policies)) {
    const one = drawPolicy(new Random(seed, number));
    if (one.bytes.byteLength > largeBytes) large.push(number);
    readCase(tally, one, `policy ${number}`);
  }
  await withSteps(async (count) => {
    for (const number of large) {
      const { bytes } = drawPolicy(new Random(seed, number));
      const { steps } = await count(() => Promise.resolve(readPolicy(bytes)));
      tally.count("of them read again, by steps");
      const most = mostSteps(bytes);
      if (steps > most)
        tally.fail(`policy ${number} of ${bytes.byteLength} bytes took ${steps} steps, more than ${most}`);
    }
  });
}

function readCase(tally: Tally, { bytes, refusedFor, isControl, isPlain }: PolicyCase, name: string): void {
  tally.count("trust policies");
  const read = readPolicy(bytes);
  if (read.policy === undefined) {
    if (isControl) tally.fail(`${name} is a proper policy and is refused: ${read.detail}`);
    if (!read.isPlanned) tally.fail(`${name} threw ${read.detail}`);
    if (isPlain && read.detail.includes(plantedSecret.slice(0, 12)))
      tally.fail(`${name}: the refusal repeats a secret`);
    return;
  }
  if (refusedFor !== undefined) {
    tally.fail(`${name} is taken with ${refusedFor}`, wronglyAccepted);
    return;
  }
  const found = sayBack(read.policy);
  const written = sayWritten(bytes);
  if (found === written) tally.count("taken to the letter");
  else tally.fail(`${name} is taken as ${found}, and says ${written}`, wronglyAccepted);
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
  const listed = [...publishers].map(([id, { keys, idPrefixes, capabilities, threshold, firstParty }]) => ({
    id,
    keys: keys.map(({ id: keyId, publicKey, notAfter, key }) => [keyId, publicKey, notAfter ?? null, rawOf(key)]),
    idPrefixes,
    capabilities: [...capabilities].sort(),
    threshold,
    firstParty,
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
      firstParty?: boolean;
    }
  >;
  revoked?: { keys?: string[]; digests?: string[] };
}

/** What a policy allows, in one line: as it is written, by JSON.parse. */
function sayWritten(bytes: Uint8Array): string {
  const { publishers, revoked = {} } = JSON.parse(Buffer.from(bytes).toString("utf8")) as Written;
  const listed = Object.entries(publishers).map(
    ([id, { keys, idPrefixes, capabilities, threshold = 1, firstParty = false }]) => ({
      id,
      keys: keys.map(({ id: keyId, publicKey, notAfter }) => {
        return [keyId, publicKey, notAfter === undefined ? null : Date.parse(notAfter), keyId];
      }),
      idPrefixes,
      capabilities: capabilities.toSorted(),
      threshold,
      firstParty,
    }),
  );
  const distinct = (items: readonly string[] = []) => [...new Set(items)].sort();
  return JSON.stringify([listed.sort(byId), distinct(revoked.keys), distinct(revoked.digests)]);
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}
