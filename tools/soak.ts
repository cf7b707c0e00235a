import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { suites } from "./ci.ts";
import { type KeptSeed, seedsFile } from "./gate/kept-lists.ts";
import { findTally, runCommand } from "./gate/run-command.ts";
import { hungAfterSeconds } from "./gate/run-gate.ts";
import type { Suite } from "./gate/suite.ts";

/**
 * `npm run soak [-- --only crash,e2e] [-- --rounds N]`: every suite in its whole form, with a new seed each round; hours.
 * `--short` is one round of the gate's forms with new seeds. A seed that fails is tried in the gate's form, and becomes a line
 * of tests/seeds.json, which the gate runs from then on.
 */
const { values } = parseArgs({
  options: { only: { type: "string" }, rounds: { type: "string", default: "1" }, short: { type: "boolean" } },
});
const wanted = values.only?.split(",");
const chosen = Object.entries<Suite>(suites).filter(([name]) => wanted?.includes(name) ?? true);
const rounds = Number(values.rounds);
if (chosen.length === 0 || !Number.isSafeInteger(rounds) || rounds < 1)
  throw new Error("--only takes names of suites, --rounds a number");

let passed = 0;
let failed = 0;
for (let round = 1; round <= rounds; round += 1) {
  for (const [script, suite] of chosen) {
    if (await soak(script, suite)) passed += 1;
    else failed += 1;
  }
}
console.log(
  `soak: ${rounds} rounds of ${chosen.length} suites in their ${values.short === true ? "short" : "whole"} form`,
);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function soak(script: string, suite: Suite): Promise<boolean> {
  const seed = Math.floor(Math.random() * 1_000_000);
  const words = [...(values.short === true ? ["--short"] : []), ...(suite.seeded ? ["--seed", String(seed)] : [])];
  console.log(`\n── npm run ${script} -- ${words.join(" ")} ──`);
  if (await passes(script, words, suite)) return true;
  if (suite.seeded) await keepSeed(script, suite, seed);
  return false;
}

/** A whole form may take a hundred times as long as the gate's; ten times of that is a hang. */
async function passes(script: string, words: readonly string[], suite: Suite): Promise<boolean> {
  const limitSeconds = words.includes("--short") ? hungAfterSeconds : suite.minutes * 60_000;
  const echo = (text: string) => void process.stdout.write(text);
  const run = await runCommand(["npm", "run", "--silent", script, "--", ...words], { limitSeconds, echo });
  if (run.timedOut) console.log(`stopped after ${run.seconds.toFixed(0)} s`);
  const tally = findTally(run.output);
  return run.code === 0 && tally !== undefined && tally.failed === 0 && tally.passed > 0;
}

async function keepSeed(script: string, suite: Suite, seed: number): Promise<void> {
  console.log(`soak: ${script} failed with seed ${seed}; the gate's form with the same seed:`);
  if (await passes(script, ["--short", "--seed", String(seed)], suite)) {
    console.log(`soak: the gate's form passes with seed ${seed}; repeat it with: npm run ${script} -- --seed ${seed}`);
    return;
  }
  const kept = JSON.parse(readFileSync(seedsFile, "utf8")) as KeptSeed[];
  kept.push({ suite: script, seed, why: `failed in a soak on ${new Date().toISOString().slice(0, 10)}` });
  writeFileSync(seedsFile, `${JSON.stringify(kept, null, 2)}\n`);
  console.log(`soak: added seed ${seed} of ${script} to ${seedsFile}; say there what it found`);
}
