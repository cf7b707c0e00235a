import { existsSync, readFileSync } from "node:fs";
import { type CommandRun, findTally, runCommand } from "./run-command.ts";
import { judgeSuite, lastLineOf } from "./suite-verdict.ts";

/**
 * Every suite of the product, one after the other, because most of them measure time. Each is an `npm run` script;
 * `.ci/run` calls this after a clean install. Benchmarks print their figures and never decide. A limit is several
 * times what its suite takes: it ends one that hangs, and all of them together take about half an hour on two cores.
 */
const suites: readonly Suite[] = [
  { script: "check", args: [], limitSeconds: 900, decides: true },
  { script: "acceptance", args: ["--short"], limitSeconds: 720, decides: true },
  { script: "crash", args: ["--short"], limitSeconds: 720, decides: true },
  { script: "security", args: ["--short"], limitSeconds: 720, decides: true },
  { script: "hostile", args: ["--short"], limitSeconds: 360, decides: true },
  { script: "bundles:hostile", args: ["--short"], limitSeconds: 360, decides: true },
  { script: "sandbox", args: ["--short"], limitSeconds: 900, decides: true },
  { script: "lab:plugins", args: ["--short"], limitSeconds: 480, decides: true },
  { script: "lab:container", args: ["--short"], limitSeconds: 900, decides: true },
  { script: "e2e", args: ["--short"], limitSeconds: 720, decides: true },
  { script: "bench:dashboard", args: ["--short"], limitSeconds: 240, decides: false },
  { script: "bench:store", args: ["--short"], limitSeconds: 240, decides: false },
  { script: "bench:bundles", args: ["--short"], limitSeconds: 240, decides: false },
  { script: "bench:runtime", args: ["--short"], limitSeconds: 240, decides: false },
  { script: "bench:http", args: ["--short"], limitSeconds: 240, decides: false },
];

interface Suite {
  readonly script: string;
  readonly args: readonly string[];
  readonly limitSeconds: number;
  readonly decides: boolean;
}

const scripts = (JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> }).scripts;
const started = performance.now();
const rows: string[][] = [];
let passed = 0;
let failed = 0;
const endings: string[] = [];

for (const suite of suites) {
  print(`\n── ${suite.script} ──\n`);
  const run = await runSuite(suite);
  const verdict = judgeSuite(run);
  if (suite.decides || run.missing) {
    passed += verdict.passed;
    failed += verdict.failed;
  }
  const { word, lastLine } = suite.decides ? verdict : describeFigures(run);
  rows.push([suite.script, `${run.seconds.toFixed(1)} s`, word, lastLine]);
  if (suite.decides && word !== "ok") {
    endings.push(`\n── ${suite.script} failed; it ended with ──\n${run.output.split("\n").slice(-80).join("\n")}`);
  }
}

// Whoever reads only the end of a long output still sees why.
for (const ending of endings) print(ending);

print(`\n${table([["suite", "time", "verdict", "its last line"], ...rows])}\n`);
print(`${((performance.now() - started) / 1000).toFixed(0)} s on Node ${process.version}\n`);
print(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

async function runSuite(suite: Suite): Promise<CommandRun & { readonly missing: boolean }> {
  const missing = findMissingFile(suite.script);
  if (missing !== undefined) {
    print(`${missing}\n`);
    return { code: 1, output: missing, seconds: 0, timedOut: false, missing: true };
  }
  const echo = echoUpTo(100_000);
  const command = ["npm", "run", "--silent", suite.script, "--", ...suite.args] as const;
  const run = await runCommand(command, { limitSeconds: suite.limitSeconds, echo });
  if (run.output.length > 100_000) print(`\n… output cut here; it ended with:\n${run.output.slice(-4_000)}`);
  if (run.timedOut) print(`\nstopped after ${suite.limitSeconds} s\n`);
  return { ...run, missing: false };
}

/** A benchmark says its figures in a sentence before its tally; without a tally it broke off. */
function describeFigures(run: CommandRun): { word: string; lastLine: string } {
  const words = run.output.split("\n").filter((line) => findTally(line) === undefined);
  const missed = findTally(run.output) === undefined ? "broke off" : "goal missed";
  const word = run.timedOut ? "timed out" : run.code === 0 ? "figures" : missed;
  return { word, lastLine: lastLineOf(words.join("\n")) };
}

/** Says what is missing, so that a suite which was renamed or never written is red and not absent. */
function findMissingFile(script: string): string | undefined {
  const line = scripts[script];
  if (line === undefined) return `package.json has no script ${script}`;
  const file = /^node (\S+\.ts)/.exec(line)?.[1];
  if (file === undefined) return `the script ${script} does not start a file of ours: ${line}`;
  return existsSync(file) ? undefined : `${file} does not exist`;
}

function echoUpTo(limit: number): (text: string) => void {
  let left = limit;
  return (text) => {
    if (left > 0) print(text.slice(0, left));
    left -= text.length;
  };
}

function table(lines: readonly string[][]): string {
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function print(text: string): void {
  process.stdout.write(text);
}
