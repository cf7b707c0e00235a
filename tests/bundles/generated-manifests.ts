import { verifyBundle } from "@gatehouse/bundle/verify";
import { type Case, drawCase, isSigned } from "./manifest-cases.ts";
import { bad, good, now, policy, published } from "./manifest-pool.ts";
import { Random } from "../support/random.ts";
import { inMemory } from "./sample.ts";
import { inThreads, laneCount, type Outcome, type Scenario, serveThread, Tally } from "./tally.ts";
import { slowMs, timed } from "./timed.ts";

const all = 1_000_000;
const shortSeconds = 30;
/** Judged also on a busy machine. */
const fewest = 50_000;

interface Share {
  readonly seed: number;
  readonly first: number;
  readonly cases: number;
  readonly fewest: number;
  readonly seconds: number;
}

/** Manifests drawn by somebody who knows the grammar, the format and all public signatures. */
export const generatedManifests: Scenario = {
  name: "generated manifests",
  run: async ({ seed, short }) => {
    const cases = Math.ceil(all / laneCount);
    const shares = Array.from({ length: laneCount }, (_, lane) => ({
      seed,
      first: lane * cases,
      cases,
      fewest: Math.ceil(fewest / laneCount),
      seconds: short ? shortSeconds : Infinity,
    }));
    const tally = await inThreads<Share>(new URL(import.meta.url), shares);
    checkJudge(tally);
    if ((tally.counts["of them accepted, and signed"] ?? 0) === 0)
      tally.fail("not one was accepted, so nothing is shown");
    return tally.outcome();
  },
};

await serveThread<Share>(judgeShare);

/** The judge of the verdicts knows signed from unsigned itself; one that says yes to everything would find nothing. */
function checkJudge(tally: Tally): void {
  const known = { isControl: false, book: published };
  for (const one of good) if (!isSigned({ ...one, ...known })) tally.fail(`the judge does not know ${one.id}`);
  for (const one of bad) if (isSigned({ ...one, ...known })) tally.fail(`the judge would let ${one.id} pass`);
}

async function judgeShare({ seed, first, cases, fewest: least, seconds }: Share): Promise<Outcome> {
  const tally = new Tally();
  const deadline = performance.now() + seconds * 1_000;
  for (let number = first; number < first + cases; number += 1) {
    if (number - first >= least && performance.now() > deadline) break;
    await judgeCase(tally, drawCase(new Random(seed, number)), `case ${number}`);
  }
  return tally.outcome();
}

async function judgeCase(tally: Tally, one: Case, name: string): Promise<void> {
  tally.count("generated manifests");
  const shown = () => `${name}: ${JSON.stringify(Buffer.from(one.manifestBytes).toString("utf8").slice(0, 120))}`;
  try {
    const { value: verdict, ms } = await timed(() => verifyBundle({ bundle: inMemory(one), policy, now }));
    tally.took(ms, () => `${name}, ${one.manifestBytes.byteLength} bytes`);
    if (ms > slowMs) tally.fail(`${shown()} took ${ms.toFixed(0)} ms`);
    if (verdict.accepted) {
      if (isSigned(one)) tally.count("of them accepted, and signed");
      else tally.failAccepted(`${shown()} is accepted, and nobody allowed had signed it`);
    } else if (one.isControl) {
      tally.fail(`${shown()} was signed and is refused: ${verdict.refusal.detail}`);
    } else if (verdict.refusal.code === "bundle.verifier_failed") {
      tally.fail(`${shown()} made the verifier fail: ${verdict.refusal.detail}`);
    }
  } catch (error) {
    tally.fail(`${shown()} made it throw: ${String(error)}`);
  }
}
