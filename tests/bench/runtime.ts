import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Launcher, openLauncher, type StagedArtifact } from "@gatehouse/sandbox";
import { buildIfOld } from "../../tools/build-if-old.ts";
import { benchArguments, concludeBench } from "./measure.ts";
import { median, percentile } from "../support/percentile.ts";
import { healthWhileBusy } from "./runtime-health.ts";

/**
 * `npm run bench:runtime [-- --short]`: one action of a plugin through launcher and sandbox, beside the same program started bare from
 * this process, which is as large as a busy server. In turn, so that a noisy minute hits both.
 */
const { short } = benchArguments();
const rounds = short ? 40 : 300;
const limits = { deadlineMs: 10_000, outputBytes: 65_536, stderrBytes: 65_536, memoryBytes: 256 * 1024 * 1024 };
const directory = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
/** Pages that a fork must account for: a server with many nodes has as many. */
const ballast = Buffer.alloc(1024 * 1024 * 1024, 1);

const artifacts = {
  small: "#!/bin/sh\nread -r line\necho answer\n",
  node: '#!/usr/bin/env node\nprocess.stdin.once("data", () => process.stdout.write("answer\\n", () => process.exit(0)));\n',
};

await buildIfOld();
const launcher = await openLauncher({ runtimeDirectory: join(directory, "runtime"), least: "none" });
try {
  await main(launcher);
} finally {
  await launcher.close();
  rmSync(directory, { recursive: true, force: true });
}

async function main(through: Launcher): Promise<void> {
  console.log(
    `bench:runtime, node ${process.version}, level ${through.level}, ${rounds} rounds, ${ballast.length / 1024 / 1024} MiB in this process`,
  );
  const small = await stage(through, "small");
  const node = await stage(through, "node");
  const smallTimes = await compare(small, "small");
  const nodeTimes = await compare(node, "node");
  print("a small shell script", smallTimes);
  print("a plugin in Node", nodeTimes);
  const blocked = { ours: await longestStall(() => act(small)), bare: await longestStall(() => bare("small")) };
  console.log(
    `  this process stands still for ${blocked.ours.toFixed(1)} ms at most (p99 of starts) through the launcher, ${blocked.bare.toFixed(1)} ms when it forks itself`,
  );
  const late = await lateness(through);
  const rate = await throughput(small);
  console.log(`  ${rate.toFixed(0)} actions a second, 8 at once`);
  const health = await healthWhileBusy(join(directory, "server"), short ? 4 : 20);
  console.log(
    `  /api/health: p99 ${health.alone.toFixed(1)} ms alone, ${health.busy.toFixed(1)} ms while 64 actions run`,
  );
  const added = median(smallTimes.ours) - median(smallTimes.bare);
  concludeBench(
    "bench:runtime",
    [
      {
        name: "what sandbox and launcher add to an action, median",
        found: added,
        goal: 10,
        atLeast: false,
        unit: " ms",
      },
      {
        name: "this process stands still while it starts one, p99",
        found: blocked.ours,
        goal: 1,
        atLeast: false,
        unit: " ms",
      },
      { name: "an action is gone after its deadline, p99", found: late, goal: 100, atLeast: false, unit: " ms" },
      { name: "health while 64 actions run, p99", found: health.busy, goal: 50, atLeast: false, unit: " ms" },
    ],
    `an action costs ${median(smallTimes.ours).toFixed(1)} ms in the sandbox (level ${through.level}), ${median(smallTimes.bare).toFixed(1)} ms bare; ` +
      `in Node ${median(nodeTimes.ours).toFixed(0)} ms, bare ${median(nodeTimes.bare).toFixed(0)} ms`,
  );
}

async function stage(through: Launcher, name: keyof typeof artifacts): Promise<StagedArtifact> {
  const path = join(directory, name);
  writeFileSync(path, artifacts[name]);
  chmodSync(path, 0o755);
  return through.stage({ path, sha256: createHash("sha256").update(artifacts[name]).digest("hex") });
}

async function compare(
  staged: StagedArtifact,
  name: keyof typeof artifacts,
): Promise<{ ours: number[]; bare: number[] }> {
  const times = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    times.bare.push(await timed(() => bare(name)));
    times.ours.push(await timed(() => act(staged)));
  }
  return times;
}

async function act(staged: StagedArtifact): Promise<void> {
  const action = staged.start("describe", limits);
  action.send("go");
  const { outcome, code, reason, stderr } = await action.onEnd;
  if (outcome !== "exited" || code !== 0) throw new Error(`an action ended as ${outcome}: ${reason} ${stderr}`);
}

/** With this Node first in the path, as the sandbox has it. */
async function bare(name: keyof typeof artifacts): Promise<void> {
  const env = { PATH: `${join(process.execPath, "..")}:/usr/bin:/bin` };
  const child = spawn(join(directory, name), ["describe"], { detached: true, env, stdio: ["pipe", "pipe", "pipe"] });
  child.stdout.resume();
  child.stdin.write("go\n");
  await once(child, "close");
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** How long the call that starts an action keeps everything else waiting. */
async function longestStall(start: () => Promise<void>): Promise<number> {
  const stalls: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    const running = start();
    stalls.push(performance.now() - began);
    await running;
  }
  return percentile(stalls, 0.99);
}

async function lateness(through: Launcher): Promise<number> {
  const text = "#!/bin/sh\ntrap '' TERM\nwhile :; do sleep 1; done\n";
  const path = join(directory, "sleeper");
  writeFileSync(path, text);
  const staged = await through.stage({ path, sha256: createHash("sha256").update(text).digest("hex") });
  const late: number[] = [];
  const deadlineMs = 100;
  for (let round = 0; round < rounds / 2; round += 1)
    late.push(
      (await timed(async () => void (await staged.start("health", { ...limits, deadlineMs }).onEnd))) - deadlineMs,
    );
  console.log(
    `  an action is gone ${median(late).toFixed(1)} ms after its deadline, p99 ${percentile(late, 0.99).toFixed(1)} ms`,
  );
  return percentile(late, 0.99);
}

async function throughput(staged: StagedArtifact): Promise<number> {
  const began = performance.now();
  let left = rounds;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      await act(staged);
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  await delay(0);
  return (rounds / (performance.now() - began)) * 1_000;
}

function print(what: string, { ours, bare: alone }: { ours: readonly number[]; bare: readonly number[] }): void {
  const figures = (times: readonly number[]) =>
    `p50 ${median(times).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`;
  console.log(`  ${what}: ${figures(ours)}; bare ${figures(alone)}`);
}
