import { type Verdict, verifyBundle } from "@gatehouse/bundle/verify";
import { inThreads, type Share, serveThread } from "../support/lanes.ts";
import { Random } from "../support/random.ts";
import type { Scenario, Tally } from "../support/scenario.ts";
import { wronglyAccepted } from "./harms.ts";
import { type Case, drawCase, isSigned } from "./manifest-cases.ts";
import { bad, good, now, policy, published } from "./manifest-pool.ts";
import { inMemory } from "./sample.ts";
import { largeBytes, mostSteps } from "./step-limits.ts";
import { withSteps } from "./steps.ts";

interface Order {
  readonly seed: number;
  readonly manifests: number;
}

/** Manifests drawn by somebody who knows the grammar, the format and all public signatures. */
export const generatedManifests: Scenario<"bundles:hostile"> = {
  name: "generated manifests",
  run: async ({ seed, counts: { manifests } }) => {
    const tally = await inThreads<Order>(new URL(import.meta.url), { seed, manifests });
    checkJudge(tally);
    if ((tally.counts["accepted and signed"] ?? 0) === 0) tally.fail("not one was accepted, so nothing is shown");
    return tally.outcome();
  },
};

await serveThread<Order>(judgeShare);

/** The judge of the verdicts knows signed from unsigned itself; one that says yes to everything would find nothing. */
function checkJudge(tally: Tally): void {
  const known = { isControl: false, book: published };
  for (const one of good) if (!isSigned({ ...one, ...known })) tally.fail(`the judge does not know ${one.id}`);
  for (const one of bad) if (isSigned({ ...one, ...known })) tally.fail(`the judge would let ${one.id} pass`);
}

async function judgeShare({ seed, manifests }: Order, share: Share, tally: Tally): Promise<void> {
  const large: number[] = [];
  for (const number of share(manifests)) {
    const one = drawCase(new Random(seed, number));
    if (one.manifestBytes.byteLength > largeBytes) large.push(number);
    await judgeCase(tally, one, number);
  }
  await withSteps(async (count) => {
    for (const number of large) {
      const one = drawCase(new Random(seed, number));
      const { steps } = await count(() => judge(one));
      tally.count("of them judged again, by steps");
      const most = mostSteps(one.manifestBytes);
      if (steps > most) tally.fail(`${shown(one, number)} took ${steps} steps, more than ${most}`);
    }
  });
}

function judge(one: Case): Promise<Verdict> {
  return verifyBundle({ bundle: inMemory(one), policy, now });
}

function shown({ manifestBytes }: Case, number: number): string {
  return `case ${number}: ${JSON.stringify(Buffer.from(manifestBytes).toString("utf8").slice(0, 120))}`;
}

async function judgeCase(tally: Tally, one: Case, number: number): Promise<void> {
  tally.count("generated manifests");
  try {
    const verdict = await judge(one);
    if (verdict.accepted) {
      if (isSigned(one)) tally.count("accepted and signed");
      else tally.fail(`${shown(one, number)} is accepted, and nobody allowed had signed it`, wronglyAccepted);
    } else if (one.isControl) {
      tally.fail(`${shown(one, number)} was signed and is refused: ${verdict.refusal.detail}`);
    } else if (verdict.refusal.code === "bundle.verifier_failed") {
      tally.fail(`${shown(one, number)} made the verifier fail: ${verdict.refusal.detail}`);
    }
  } catch (error) {
    tally.fail(`${shown(one, number)} made it throw: ${String(error)}`);
  }
}
