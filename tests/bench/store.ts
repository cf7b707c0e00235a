import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { benchArguments, concludeBench, interleave, type Ratio } from "./measure.ts";
import { measureLatency } from "./store-latency.ts";
import { measureReplay } from "./store-replay.ts";
import { measureStall } from "./store-stall.ts";
import { bareRate, readyRate, storeRate } from "./store-workload.ts";

/** `npm run bench:store [--short]`: what the store does beside a bare loop that only writes and syncs. */
const { short } = benchArguments();
const here = dirname(fileURLToPath(import.meta.url));
const root = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
const directory = join(root, "data");
const pairs = 5;
const ms = short ? 700 : 3_000;
const inFlight = 256;

const per = (rate: number): string => `${Math.round(rate).toLocaleString("en")}/s`;

if (process.env["BENCH_PART"] === "commits") {
  const ratio = await interleave(
    pairs,
    () => storeRate(directory, inFlight, ms),
    () => bareRate(directory, inFlight, ms),
  );
  console.log(JSON.stringify(ratio));
  rmSync(root, { recursive: true, force: true });
} else {
  try {
    await main();
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  console.log(
    `bench:store, node ${process.version}, ${pairs} interleaved pairs of ${ms} ms, ${inFlight} commits in flight`,
  );
  await storeRate(directory, inFlight, 300); // warm up
  await bareRate(directory, inFlight, 300);
  const fast = await interleave(
    pairs,
    () => storeRate(directory, inFlight, ms),
    () => bareRate(directory, inFlight, ms),
  );
  console.log(`  durable chained commits: ${per(fast.ours)}, bare group commit of the same bytes: ${per(fast.bare)}`);
  const ready = await readyRate(directory, inFlight, ms);
  console.log(`  for comparison, bare with bytes that lie ready (no JSON made): ${per(ready)}`);
  const slow = slowDisk();
  console.log(`  with fsync slowed by 1 ms: ${per(slow.ours)}, bare: ${per(slow.bare)}`);
  const latency = await measureLatency(directory, short ? 1_000 : 10_000);
  console.log(
    `  one commit at a time: p50 ${latency.p50.toFixed(3)} ms, p99 ${latency.p99.toFixed(3)} ms (bare p50 ${latency.bareP50.toFixed(3)}, p99 ${latency.bareP99.toFixed(3)})`,
  );
  const replay = await measureReplay(directory, short ? 250_000 : 1_000_000);
  console.log(
    `  ${short ? "250,000" : "1,000,000"} records: replay and verification at boot ${per(replay.boot)}, audit verification ${per(replay.verify)}, check of the archive ${per(replay.check)}, in groups of ${replay.group}`,
  );
  console.log(`  the same in groups of one: replay ${per(replay.singles)}`);
  const stall = await measureStall(directory, 100_000);
  console.log(
    `  checkpoint of 100,000 records (${(stall.bytes / 1e6).toFixed(0)} MB) in ${stall.ms.toFixed(0)} ms, longest stall ${stall.longest.toFixed(1)} ms`,
  );
  concludeBench(
    "bench:store",
    [
      { name: "commits beside bare", found: fast.ratio, goal: 0.7, atLeast: true },
      { name: "commits beside bare, 1 ms fsync", found: slow.ratio, goal: 0.85, atLeast: true },
      { name: "replay and verification", found: replay.boot, goal: 300_000, atLeast: true, unit: "/s" },
      { name: "longest stall while checkpointing", found: stall.longest, goal: 10, atLeast: false, unit: " ms" },
    ],
    `${per(fast.ours)} durable chained commits, ${fast.ratio.toFixed(2)} of bare (${slow.ratio.toFixed(2)} with a 1 ms fsync), replay ${per(replay.boot)}, stall ${stall.longest.toFixed(1)} ms`,
  );
}

/** The same comparison in a process whose fsync takes a millisecond longer. */
function slowDisk(): Ratio {
  const shim = join(root, "slow-sync.so");
  execFileSync("cc", ["-shared", "-fPIC", "-O2", "-o", shim, join(here, "slow-sync.c"), "-ldl"]);
  const env = { ...process.env, LD_PRELOAD: shim, SLOW_SYNC_US: "1000", BENCH_PART: "commits" };
  const output = execFileSync(process.execPath, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { env });
  return JSON.parse(output.toString().trim().split("\n").at(-1) ?? "{}") as Ratio;
}
