import { buildIfOld } from "./build-if-old.ts";
import { projectWords } from "./check-projects.ts";
import { readCheckWords } from "./check-words.ts";
import { findTally, runCommand } from "./gate/run-command.ts";
import { seedVariable } from "./test-seed.ts";

/**
 * `npm run check`: everything that must hold before a push, in three minutes on two quiet cores. `--fast` leaves the tests out,
 * `--short` those that wait for processes, `--seed N` draws other cases than the gate does. A check prints one line with its time;
 * only a failing one shows its output.
 */
const still: readonly Check[] = [
  { name: "types", command: ["tsc", "-p", "."] },
  { name: "types of the page", command: ["tsc", "-p", "apps/dashboard"] },
  { name: "lint", command: ["oxlint", "--type-aware", "--deny-warnings"] },
  { name: "imports", command: ["depcruise", "--config", ".dependency-cruiser.cjs", "."] },
  { name: "format", command: ["biome", "format", "."] },
];
/** Ten times what all of it takes: it stops what hangs and decides nothing else. */
const limitSeconds = 1_800;

interface Check {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

const { fast, short, seed } = readCheckWords(process.argv.slice(2));
const tests: Check = {
  name: "tests",
  command: ["vitest", "run", ...(short ? projectWords("check") : [])],
};
const env = { [seedVariable]: String(seed) };
let failed = 0;

if (fast) {
  const queue = [...still];
  await Promise.all([runAll(queue), runAll(queue)]);
  print(`${still.length - failed} passed, ${failed} failed\n`);
} else {
  print(`seed ${seed}\n`);
  // Beside each other, so that no core waits: none of the tests measures time.
  const [line] = await Promise.all([runTests(), runAll([...still])]);
  print(`${line}\n`);
}
process.exitCode = failed === 0 ? 0 : 1;

/** One after the other; two callers share what is left of one queue. */
async function runAll(queue: Check[]): Promise<void> {
  for (let check = queue.shift(); check !== undefined; check = queue.shift()) {
    if ((await report(check)).code !== 0) failed += 1;
  }
}

/** The tests' own last word, which is that of the whole command. */
async function runTests(): Promise<string> {
  await buildIfOld();
  const run = await report(tests);
  const tally = findTally(run.output);
  if (run.code !== 0 || tally === undefined || tally.passed === 0) failed += 1;
  return tally?.line ?? "0 passed, 1 failed";
}

async function report(check: Check): Promise<Awaited<ReturnType<typeof runCommand>>> {
  const run = await runCommand(check.command, { limitSeconds, env });
  const verdict = run.timedOut ? `stopped after ${limitSeconds} s` : run.code === 0 ? "ok" : `failed (${run.code})`;
  print(`${check.name.padEnd(18)} ${run.seconds.toFixed(1).padStart(6)} s  ${verdict}\n`);
  if (run.code !== 0) print(`${run.output.trimEnd()}\n\n`);
  return run;
}

function print(text: string): void {
  process.stdout.write(text);
}
