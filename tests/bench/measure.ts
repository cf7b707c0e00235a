import { parseArgs } from "node:util";
import { noteFigure } from "../../tools/gate/figures-file.ts";
import { median } from "../support/percentile.ts";

/** What every bench takes on its command line. */
export function benchArguments(): { short: boolean } {
  const { values } = parseArgs({ options: { short: { type: "boolean", default: false }, seed: { type: "string" } } });
  return { short: values.short };
}

export interface Ratio {
  readonly ours: number;
  readonly bare: number;
  /** Median of the ratios of neighbouring runs: a noisy minute hits both sides of a pair. */
  readonly ratio: number;
}

/** Runs ours and bare in turn and compares neighbours. */
export async function interleave(
  pairs: number,
  ours: () => Promise<number>,
  bare: () => Promise<number>,
): Promise<Ratio> {
  const runs: { ours: number; bare: number }[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    // The order alternates, so that neither side always runs on a warmed-up machine.
    if (pair % 2 === 0) {
      const bareRate = await bare();
      runs.push({ bare: bareRate, ours: await ours() });
    } else {
      const oursRate = await ours();
      runs.push({ ours: oursRate, bare: await bare() });
    }
  }
  return {
    ours: median(runs.map((run) => run.ours)),
    bare: median(runs.map((run) => run.bare)),
    ratio: median(runs.map((run) => run.ours / run.bare)),
  };
}

export interface Goal {
  readonly name: string;
  readonly found: number;
  readonly goal: number;
  readonly atLeast: boolean;
  readonly unit?: string;
}

/** Prints each figure beside its goal, then one line worth quoting and the plain line; sets the exit code. */
export function concludeBench(suite: string, goals: readonly Goal[], quote: string): void {
  const reached = goals.map(({ name, found, goal, atLeast, unit = "" }) => {
    const ok = atLeast ? found >= goal : found <= goal;
    const figure = found >= 100 ? Math.round(found).toLocaleString("en") : found.toFixed(2);
    const bound = `${atLeast ? "≥" : "≤"} ${goal.toLocaleString("en")}${unit}`;
    noteFigure({ suite, name, found, goal, atLeast, unit, reached: ok });
    console.log(`  ${ok ? "reached" : "MISSED "}  ${name}: ${figure}${unit} (goal ${bound})`);
    return ok;
  });
  const failed = reached.filter((ok) => !ok).length;
  console.log(`${suite}: ${quote}`);
  console.log(`${reached.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
