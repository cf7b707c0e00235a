import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import {
  type OpenBundle,
  openBundle,
  refuseUnopened,
  type VerifiedBundle,
  verifyBundle,
} from "@gatehouse/bundle/verify";
import { isFault } from "@gatehouse/contract";
import { type Scenario, Tally } from "../support/scenario.ts";
import { stopped } from "../support/stopped.ts";
import { wronglyAccepted } from "./harms.ts";
import { policyOf } from "./sample.ts";
import { expectationFor, name, swapsPerRound, swapsPerVerdict } from "./swap-play.ts";
import type { SwapOrder, SwapperData } from "./swapper.ts";

const policy = policyOf();
/** As many at a time as the startup loader judges. */
const lanes = 4;
const racingPerRound = swapsPerRound / swapsPerVerdict;
/** And one of a directory that stays signed, one of a directory that stays unsigned. */
const verdictsPerRound = racingPerRound + 2;

/** Verdicts while another thread swaps files, directories and links: an accepted one is for bytes that are signed. */
export const swappedFiles: Scenario<"bundles:hostile"> = {
  name: "swapped files",
  run: async ({ seed, counts }) => {
    const verdicts = Math.ceil(counts.swaps / swapsPerRound) * verdictsPerRound;
    const { failures, wronglyAccepted: harm, counts: found } = await judgeWhileSwapping(seed, verdicts);
    const tally = new Tally();
    tally.count("swaps", found["swaps meanwhile"]);
    tally.count("verdicts meanwhile", found["verdicts"]);
    // What lay there at which moment is the race's own business.
    tally.notes.push(`${found["of them accepted"]} accepted and ${found["of them refused"]} refused`);
    for (const [at, failure] of failures.entries()) tally.fail(failure, at < harm ? wronglyAccepted : undefined);
    return tally.outcome();
  },
};

/** What came of it. How many were accepted is up to the race; how many were judged is not. */
export interface Swapped {
  readonly counts: Readonly<Record<"verdicts" | "swaps meanwhile" | "of them accepted" | "of them refused", number>>;
  readonly wronglyAccepted: number;
  readonly failures: readonly string[];
}

/** Judges in rounds, until there are so many verdicts; each round ends with one that must be accepted and one that must not. */
export async function judgeWhileSwapping(seed: number, verdicts: number): Promise<Swapped> {
  const seen = new Seen();
  const root = await mkdtemp(join(tmpdir(), "gatehouse-bundles-"));
  const data: SwapperData = {
    seed,
    plugins: join(root, "plugins"),
    stash: join(root, "stash"),
    shared: new SharedArrayBuffer(8),
  };
  await mkdir(data.plugins);
  await mkdir(data.stash);
  const swapper = new Worker(new URL("./swapper.ts", import.meta.url), { workerData: data });
  const tell = async (order: SwapOrder): Promise<void> => {
    const done = once(swapper, "message");
    swapper.postMessage(order);
    await stopped("the swapper", done);
  };
  try {
    for (let round = 0; round < verdicts / verdictsPerRound; round += 1) {
      await judgeRound(seen, data, () => tell({ round }));
      await tell({ leave: "signed" });
      if ((await judgeOnce(seen, data.plugins)) !== "accepted")
        seen.failures.push(`round ${round}: signed bytes are refused`);
      await tell({ leave: "unsigned" });
      await judgeOnce(seen, data.plugins);
    }
    await swapper.terminate();
    // Only now, because the swapper's descriptors are those of the same process.
    const open = await openDescriptors(root);
    if (open.length > 0) seen.failures.push(`descriptors stay open: ${open.join(", ")}`);
  } finally {
    await swapper.terminate();
    await rm(root, { recursive: true, force: true });
  }
  return seen;
}

class Seen implements Swapped {
  readonly counts = { verdicts: 0, "swaps meanwhile": 0, "of them accepted": 0, "of them refused": 0 };
  wronglyAccepted = 0;
  /** Those about what was wrongly accepted come first. */
  readonly failures: string[] = [];
}

/** Each verdict begins after two more swaps, while the next ones are on their way. */
async function judgeRound(seen: Seen, { plugins, shared }: SwapperData, swap: () => Promise<void>): Promise<void> {
  const words = new Int32Array(shared).fill(0);
  const swapped = swap();
  let next = 0;
  const lane = async () => {
    while (next < racingPerRound) {
      next += 1;
      await waitForSwaps(words, next * swapsPerVerdict - swapsPerVerdict);
      Atomics.add(words, 1, 1);
      Atomics.notify(words, 1);
      await judgeOnce(seen, plugins);
    }
  };
  await Promise.all([swapped, ...Array.from({ length: lanes }, lane)]);
  seen.counts["swaps meanwhile"] += swapsPerRound;
}

async function waitForSwaps(words: Int32Array<SharedArrayBuffer>, number: number): Promise<void> {
  for (let tried = Atomics.load(words, 0); tried < number; tried = Atomics.load(words, 0)) {
    const more = Atomics.waitAsync(words, 0, tried);
    if (more.async) await more.value;
  }
}

async function judgeOnce(seen: Seen, plugins: string): Promise<"accepted" | "refused"> {
  // One that waits for something that the attacker chose never ends.
  const verdict = await stopped("a verdict", judge(seen, plugins));
  seen.counts.verdicts += 1;
  seen.counts[`of them ${verdict}`] += 1;
  return verdict;
}

async function judge(seen: Seen, plugins: string): Promise<"accepted" | "refused"> {
  let bundle: OpenBundle | undefined;
  try {
    bundle = await openBundle(plugins, name);
    const verdict = await verifyBundle({ bundle, policy, now: 0 });
    if (!verdict.accepted) return refuse(seen, verdict.refusal);
    const flaw = await findFlaw(bundle, verdict.bundle);
    if (flaw !== undefined) {
      seen.wronglyAccepted += 1;
      seen.failures.unshift(`accepted ${flaw}`);
    }
    return "accepted";
  } catch (error) {
    if (isFault(error)) return refuse(seen, refuseUnopened(error).refusal);
    seen.failures.push(`opening threw ${String(error)}`);
    return "refused";
  } finally {
    await bundle?.close();
  }
}

/** Every refusal has to be one that was planned. */
function refuse(seen: Seen, { code, detail }: { code: string; detail: string }): "refused" {
  if (code === "bundle.verifier_failed" || !code.startsWith("bundle."))
    seen.failures.push(`refused as ${code}: ${detail}`);
  return "refused";
}

/** What about an accepted bundle is not as it was signed: its manifest, its payload, its digest, or what is read again. */
async function findFlaw(bundle: OpenBundle, verified: VerifiedBundle): Promise<string | undefined> {
  const expected = expectationFor(verified.manifest.version);
  if (expected === undefined) return `a version nobody signed: ${verified.manifest.version}`;
  if (Buffer.compare(bundle.manifest, expected.manifestBytes) !== 0) return "another manifest";
  if (verified.payloadSha256 !== expected.payloadSha256) return "another payload";
  if (verified.artifactSha256 !== expected.artifactSha256) return "another artifact";
  try {
    const again = await bundle.hashArtifact();
    return again === expected.artifactSha256 ? undefined : "an artifact that reads differently the second time";
  } catch (error) {
    // It was changed after the verdict, and that is told.
    return isFault(error, "bundle.changed_while_read") ? undefined : `and then failed: ${String(error)}`;
  }
}

/** Descriptors of this process that lead into the directory. */
async function openDescriptors(root: string): Promise<string[]> {
  const all = await readdir("/proc/self/fd");
  const targets = await Promise.all(all.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")));
  return targets.filter((target) => target.startsWith(root));
}
