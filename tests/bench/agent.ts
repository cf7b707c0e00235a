import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { architectures, findBun, hostBun } from "../../tools/build/bun-runtime.ts";
import { compileAgent } from "../../tools/build/compile-agent.ts";
import { underAttack } from "../evil-server/attack.ts";
import { ceilings } from "../evil-server/ceilings.ts";
import { startCompiled } from "../evil-server/running-agent.ts";
import { childEnvironment } from "../support/child-environment.ts";
import { median, percentile } from "../support/percentile.ts";
import { inScratch } from "../support/scratch.ts";
import { type MemoryUse, readMemoryUse } from "./memory-use.ts";
import { benchArguments, concludeBench } from "./measure.ts";

/**
 * `npm run bench:agent [-- --short]`: what the one file costs a host. Starts are measured in turn with an empty program of the same
 * runtime, compiled in the same way; memory is what the kernel says of both parts while they are connected, have nothing to do, and may not write code as
 * their units say.
 */
const { short } = benchArguments();
const root = resolve(import.meta.dirname, "../..");
const architecture = process.arch === "arm64" ? "arm64" : "x64";
const rounds = short ? 40 : 400;
const idleSeconds = short ? 5 : 30;
const mib = 1024 * 1024;

await inScratch(async (directory) => {
  const build = compileAgent({ root, architecture, out: directory });
  const program = join(directory, "gatehouse-agent");
  const empty = compileEmpty(directory);
  console.log(`bench:agent, ${architecture}, ${rounds} starts of each, memory after ${idleSeconds} s`);
  const starts = measureStarts(compileC(directory, "start-times"), program, empty);
  tellStarts("gatehouse-agent --version", starts.ours);
  tellStarts("an empty program", starts.bare);
  console.log(`  the file has ${(build.size / mib).toFixed(1)} MiB, ${(build.gzipSize / mib).toFixed(1)} as gzip`);
  const parts = await measureMemory(compileC(directory, "deny-write-execute"), program);
  for (const [name, { rss, anonymous, proportional }] of parts) {
    const [all, own, shared] = [rss, anonymous, proportional].map((kilobytes) => (kilobytes / 1_000).toFixed(1));
    console.log(`  ${name}: ${all} MB resident, ${own} of its own; ${shared} where a page of two counts half`);
  }
  conclude(starts, parts, build);
});
process.exit();

interface Starts {
  readonly ours: readonly number[];
  readonly bare: readonly number[];
}

/** In turn, so that a noisy moment meets both. */
function measureStarts(timer: string, program: string, empty: string): Starts {
  const lines = execFileSync(timer, [String(rounds), program, empty], { encoding: "utf8" })
    .trim()
    .split("\n");
  const pairs = lines.map((line) => line.split(" ").map((microseconds) => Number(microseconds) / 1_000));
  return { ours: pairs.map(([ours = 0]) => ours), bare: pairs.map(([, bare = 0]) => bare) };
}

function compileEmpty(directory: string): string {
  const source = join(directory, "empty.ts");
  const file = join(directory, "empty");
  writeFileSync(source, "export {};\n");
  const form = [
    "--compile",
    "--minify",
    "--bytecode",
    "--format=esm",
    `--target=${architectures[architecture].target}`,
  ];
  const runtime = `--compile-executable-path=${findBun(root, architecture)}`;
  const env = { PATH: "/usr/bin:/bin", HOME: directory };
  const args = ["build", ...form, runtime, source, `--outfile=${file}`];
  execFileSync(hostBun(root), args, { env, stdio: ["ignore", "ignore", "inherit"] });
  return file;
}

/** One of the two programs of a few lines that stand here: what the units say of memory, and a clock that Node is not before. */
function compileC(directory: string, name: "deny-write-execute" | "start-times"): string {
  const file = join(directory, name);
  execFileSync("cc", ["-O1", "-o", file, join(import.meta.dirname, `${name}.c`)], { env: childEnvironment() });
  return file;
}

/** Both parts on a host in a directory, with a server that is honest. */
async function measureMemory(launcher: string, program: string): Promise<ReadonlyMap<string, MemoryUse>> {
  const [ceiling] = ceilings;
  if (ceiling === undefined) throw new Error("there is no ceiling");
  let found: ReadonlyMap<string, MemoryUse> = new Map();
  const findings = await underAttack(
    ceiling,
    (host) => startCompiled(host, [launcher, program]),
    async (attack) => {
      const wrong = await attack.send([]);
      await delay(idleSeconds * 1_000);
      found = new Map([...attack.agent.processes()].map(([name, pid]) => [name, readMemoryUse(pid)]));
      return wrong;
    },
  );
  for (const { what } of findings) throw new Error(what);
  return found;
}

function tellStarts(name: string, times: readonly number[]): void {
  const [least, p50, p99] = [Math.min(...times), median(times), percentile(times, 0.99)].map((ms) => ms.toFixed(1));
  console.log(`  ${name}: p50 ${p50} ms, p99 ${p99} ms, least ${least} ms`);
}

function conclude(
  { ours, bare }: Starts,
  parts: ReadonlyMap<string, MemoryUse>,
  { size, gzipSize }: { readonly size: number; readonly gzipSize: number },
): void {
  const [p50, p99] = [median(ours), percentile(ours, 0.99)];
  const above = median(ours.map((ms, at) => ms - (bare[at] ?? ms)));
  const most = (pick: (use: MemoryUse) => number) => Math.max(...[...parts.values()].map(pick)) / 1_000;
  const [resident, own] = [most(({ rss }) => rss), most(({ anonymous }) => anonymous)];
  const gzip = gzipSize / mib;
  concludeBench(
    "bench:agent",
    [
      { name: "start, p50", found: p50, goal: 20, atLeast: false, unit: " ms" },
      { name: "memory of a part, connected and idle", found: resident, goal: 40, atLeast: false, unit: " MB" },
      { name: "memory that is a part's own", found: own, goal: 12, atLeast: false, unit: " MB" },
    ],
    `${(size / mib).toFixed(0)} MiB (${gzip.toFixed(0)} as gzip) start in ${p50.toFixed(1)} ms (p99 ${p99.toFixed(1)}), ${above.toFixed(1)} ms more than an empty program, and a part has at most ${resident.toFixed(1)} MB, ${own.toFixed(1)} of its own`,
  );
}
