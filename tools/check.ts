import { buildIfOld } from "./build-if-old.ts";
import { findTally, runCommand } from "./gate/run-command.ts";

/**
 * `npm run check`: everything that must hold before a push, in a minute or two on two quiet cores. `--fast` leaves the tests out.
 * A check prints one line with its time; only a failing one shows its output.
 */
const still: readonly Check[] = [
  { name: "types", command: ["tsc", "-p", "."] },
  { name: "types of the page", command: ["tsc", "-p", "apps/dashboard"] },
  { name: "lint", command: ["oxlint", "--type-aware", "--deny-warnings"] },
  { name: "imports", command: ["depcruise", "--config", ".dependency-cruiser.cjs", "."] },
  { name: "format", command: ["biome", "format", "."] },
];
/** A limit for what hangs, not a goal: a machine that is busy with other work is still given a verdict. */
const limitSeconds = 420;
const tests: Check = { name: "tests", command: ["vitest", "run"] };

interface Check {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

let failed = 0;
await inTwoLanes(still, async (check) => {
  const run = await report(check);
  if (run.code !== 0) failed += 1;
});

if (process.argv.includes("--fast")) {
  print(`${still.length - failed} passed, ${failed} failed\n`);
} else {
  await buildIfOld();
  // The tests start when the machine is free again: some of them measure time.
  const run = await report(tests);
  const tally = findTally(run.output);
  if (run.code !== 0 || tally === undefined || tally.passed === 0) failed += 1;
  print(`${tally?.line ?? "0 passed, 1 failed"}\n`);
}
process.exitCode = failed === 0 ? 0 : 1;

async function report(check: Check): Promise<Awaited<ReturnType<typeof runCommand>>> {
  const run = await runCommand(check.command, { limitSeconds });
  const verdict = run.timedOut ? `stopped after ${limitSeconds} s` : run.code === 0 ? "ok" : `failed (${run.code})`;
  print(`${check.name.padEnd(18)} ${run.seconds.toFixed(1).padStart(6)} s  ${verdict}\n`);
  if (run.code !== 0) print(`${run.output.trimEnd()}\n\n`);
  return run;
}

/** Two at a time: there are two cores on the smallest machine this has to be fast on. */
async function inTwoLanes<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const lane = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all([lane(), lane()]);
}

function print(text: string): void {
  process.stdout.write(text);
}
