import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import {
  type OpenBundle,
  openBundle,
  refuseUnopened,
  type VerifiedBundle,
  verifyBundle,
} from "@gatehouse/bundle/verify";
import { isFault } from "@gatehouse/contract";
import { policyOf } from "./sample.ts";
import { expectationFor, name } from "./swap-play.ts";
import type { SwapperData } from "./swapper.ts";
import { type Outcome, type Scenario, Tally } from "./tally.ts";

const policy = policyOf();
/** As many at a time as the startup loader judges. */
const lanes = 4;
/** A round that takes longer is waiting for something that the attacker chose. */
const hangMs = 30_000;

/** Verdicts while another thread swaps files, directories and links: an accepted one is for bytes that are signed. */
export const swappedFiles: Scenario = {
  name: "swapped files",
  run: async ({ seed, short }) => {
    const outcome = await judgeWhileSwapping(seed, short ? 1_000 : 10_000);
    const tally = new Tally();
    tally.add(outcome);
    if ((outcome.counts["of them accepted"] ?? 0) < 20) tally.fail("hardly any round was accepted, so little is shown");
    if ((outcome.counts["of them refused"] ?? 0) < 20) tally.fail("hardly any round was refused, so little is shown");
    return tally.outcome();
  },
};

export async function judgeWhileSwapping(seed: number, rounds: number): Promise<Outcome> {
  const tally = new Tally();
  const root = await mkdtemp(join(tmpdir(), "gatehouse-bundles-"));
  const plugins = join(root, "plugins");
  const stash = join(root, "stash");
  await mkdir(plugins);
  await mkdir(stash);
  const shared = new SharedArrayBuffer(12);
  const words = new Int32Array(shared);
  const data: SwapperData = { seed, plugins, stash, shared };
  const swapper = new Worker(new URL("./swapper.ts", import.meta.url), { workerData: data });
  try {
    await once(swapper, "message");
    await judgeRounds(tally, plugins, words, rounds);
    tally.count("swaps meanwhile", Atomics.load(words, 1));
    await stopSwapper(swapper, words);
    // Only now, because the swapper's descriptors are those of the same process.
    const open = await openDescriptors(root);
    if (open.length > 0) tally.fail(`descriptors stay open: ${open.join(", ")}`);
  } finally {
    await swapper.terminate();
    await rm(root, { recursive: true, force: true });
  }
  return tally.outcome();
}

async function stopSwapper(swapper: Worker, words: Int32Array<SharedArrayBuffer>): Promise<void> {
  const ended = once(swapper, "exit");
  Atomics.store(words, 0, 1);
  await Promise.race([ended, delay(hangMs)]);
}

async function judgeRounds(
  tally: Tally,
  plugins: string,
  words: Int32Array<SharedArrayBuffer>,
  rounds: number,
): Promise<void> {
  let left = rounds;
  const lane = async () => {
    let seen = 0;
    while (left > 0) {
      left -= 1;
      // Each lane judges what lies there after another swap, while the next one is on its way.
      const swapped = Atomics.waitAsync(words, 1, seen, hangMs);
      if (swapped.async) await swapped.value;
      seen = Atomics.load(words, 1);
      const began = performance.now();
      await judgeRound(tally, plugins);
      const ms = performance.now() - began;
      tally.took(ms, () => "one verdict, with the disk busy");
      if (ms > hangMs) tally.fail(`a verdict took ${Math.round(ms)} ms: it waited`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

async function judgeRound(tally: Tally, plugins: string): Promise<void> {
  tally.count("rounds of swapping");
  let bundle: OpenBundle | undefined;
  try {
    bundle = await openBundle(plugins, name);
    const verdict = await verifyBundle({ bundle, policy, now: 0 });
    if (verdict.accepted) {
      tally.count("of them accepted");
      const flaw = await findFlaw(bundle, verdict.bundle);
      if (flaw !== undefined) tally.failAccepted(`accepted ${flaw}`);
    } else {
      tally.count("of them refused");
      expectPlanned(tally, verdict.refusal);
    }
  } catch (error) {
    tally.count("of them refused");
    if (isFault(error)) expectPlanned(tally, refuseUnopened(error).refusal);
    else tally.fail(`opening threw ${String(error)}`);
  } finally {
    await bundle?.close();
  }
}

function expectPlanned(tally: Tally, { code, detail }: { code: string; detail: string }): void {
  if (code === "bundle.verifier_failed" || !code.startsWith("bundle.")) tally.fail(`refused as ${code}: ${detail}`);
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
