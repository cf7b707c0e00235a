import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readLines } from "./json-lines.ts";
import { type KeptSeed, readQuarantine, readSeeds } from "./kept-lists.ts";
import { type CommandRun, runCommand } from "./run-command.ts";
import { lanes, type Suite } from "./suite.ts";
import { judgeSuite, type Verdict } from "./suite-verdict.ts";
import { resultsVariable, type TestResult } from "./test-results.ts";
import { table } from "./table.ts";

export interface SuiteRun extends CommandRun {
  readonly title: string;
  readonly lane: Suite["lane"];
  readonly verdict: Verdict;
  readonly results: readonly TestResult[];
}

/** A suite that takes so long hangs. Machines that others starve have been fourteen times as slow as quiet ones for half an hour. */
export const hungAfterSeconds = 45 * 60;

interface Order {
  readonly script: string;
  readonly args: readonly string[];
  readonly suite: Suite;
}

/** Runs every suite in its short form and prints the table and the plain line. Gives the exit code. */
export async function runGate(suites: Readonly<Record<string, Suite>>): Promise<number> {
  const started = performance.now();
  const runs = await runSuites(suites);
  print(`\n${tableOf(runs)}\n`);
  const cpu = runs.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  const seconds = (performance.now() - started) / 1_000;
  print(`${seconds.toFixed(0)} s and ${cpu.toFixed(0)} CPU seconds on Node ${process.version}\n`);
  const { passed, failed } = sumOf(runs);
  print(`${passed} passed, ${failed} failed\n`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

/** All of them in their lanes; an output is printed when its suite has ended, so that two never mix. */
export async function runSuites(suites: Readonly<Record<string, Suite>>): Promise<SuiteRun[]> {
  const orders = planRuns(suites, readSeeds());
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-gate-"));
  try {
    return await runInLanes(orders, async (order) => {
      print(`${titleOf(order)}: begins\n`);
      const run = await runOne(order, join(directory, `${orders.indexOf(order)}.jsonl`));
      tell(run);
      return run;
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** In their lanes, and then what has to have the machine's attention, with what does not beside it. Gives what became of each, in their order. */
export async function runInLanes<One extends { readonly suite: Pick<Suite, "lane"> }, Run>(
  orders: readonly One[],
  runOne: (order: One) => Promise<Run>,
): Promise<Run[]> {
  const runs = new Map<One, Run>();
  const runLane = async (name: Suite["lane"], atOnce: number) => {
    const waiting = orders.filter(({ suite }) => suite.lane === name);
    const runNext = async (): Promise<void> => {
      const order = waiting.shift();
      if (order === undefined) return;
      runs.set(order, await runOne(order));
      await runNext();
    };
    await Promise.all(Array.from({ length: atOnce }, runNext));
  };
  await Promise.all(lanes.map((name) => runLane(name, 1)));
  await Promise.all([runLane("alone", 1), runLane("beside", 2)]);
  return orders.map((order) => {
    const run = runs.get(order);
    // A suite that nobody ran has not passed.
    if (run === undefined) throw new Error(`a suite of the lane ${order.suite.lane} was never run`);
    return run;
  });
}

/** Each suite once, and once more for each seed that found something before. */
export function planRuns(suites: Readonly<Record<string, Suite>>, seeds: readonly KeptSeed[]): Order[] {
  return Object.entries(suites).flatMap(([script, suite]) => [
    { script, suite, args: ["--short"] },
    ...seeds
      .filter((kept) => kept.suite === script)
      .map(({ seed, only }) => ({
        script,
        suite,
        args: ["--short", "--seed", String(seed), ...(only === undefined ? [] : ["--only", only])],
      })),
  ]);
}

async function runOne(order: Order, file: string): Promise<SuiteRun> {
  const { script, args, suite } = order;
  const missing = findMissingFile(script);
  const run: CommandRun =
    missing === undefined
      ? await runCommand(["npm", "run", "--silent", script, "--", ...args], {
          limitSeconds: hungAfterSeconds,
          env: { [resultsVariable]: file },
          yields: suite.lane === "beside",
        })
      : { code: 1, output: missing, seconds: 0, cpuSeconds: 0, timedOut: false };
  const results = readLines<TestResult>(file);
  const quarantine = new Set(readQuarantine().map(({ name }) => name));
  const verdict = judgeSuite(run, results, (name) => quarantine.has(`${script}: ${name}`));
  return { ...run, title: titleOf(order), lane: suite.lane, verdict, results };
}

/** Says what is missing, so that a suite which was renamed or never written is red and not absent. */
function findMissingFile(script: string): string | undefined {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const line = scripts[script];
  if (line === undefined) return `package.json has no script ${script}`;
  const file = /^node (\S+\.ts)/.exec(line)?.[1];
  if (file === undefined) return `the script ${script} does not start a file of ours: ${line}`;
  return existsSync(file) ? undefined : `${file} does not exist`;
}

function titleOf({ script, args }: Order): string {
  return [script, ...args.slice(1)].join(" ");
}

/** A suite that passed says little; one that did not is shown to its last line. */
function tell({ title, verdict, output, seconds, cpuSeconds, timedOut }: SuiteRun): void {
  const lines = output.trimEnd().split("\n");
  const shown = verdict.word === "ok" ? lines.slice(-12) : lines.slice(-400);
  print(`\n── ${title}: ${verdict.word}, ${seconds.toFixed(0)} s, ${cpuSeconds.toFixed(0)} CPU s ──\n`);
  if (shown.length < lines.length) print(`… ${lines.length - shown.length} lines before\n`);
  print(`${shown.join("\n")}\n`);
  for (const { name, verdict: word } of verdict.quarantined) print(`in quarantine, not counted: ${name}: ${word}\n`);
  if (timedOut) print(`stopped after ${seconds.toFixed(0)} s\n`);
  print("\n");
}

export function tableOf(runs: readonly SuiteRun[]): string {
  return table([
    ["suite", "time", "CPU", "verdict", "its last line"],
    ...runs.map(({ title, seconds, cpuSeconds, verdict }) => [
      title,
      `${seconds.toFixed(0)} s`,
      `${cpuSeconds.toFixed(0)} s`,
      verdict.word,
      verdict.lastLine,
    ]),
  ]);
}

export function sumOf(runs: readonly SuiteRun[]): { readonly passed: number; readonly failed: number } {
  const sum = (of: (verdict: Verdict) => number) => runs.reduce((total, { verdict }) => total + of(verdict), 0);
  return { passed: sum(({ passed }) => passed), failed: sum(({ failed }) => failed) };
}

function print(text: string): void {
  process.stdout.write(text);
}
