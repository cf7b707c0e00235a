import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Figure, figuresVariable } from "./gate/figures-file.ts";
import { readLines } from "./gate/json-lines.ts";
import { runCommand } from "./gate/run-command.ts";
import { table } from "./gate/table.ts";
import { root } from "./repository.ts";

/**
 * `npm run figures [-- --short] [-- --only bench:store]`: every bench, one after the other, on a machine that should be quiet. Prints
 * each figure beside its goal and beside the last runs, and writes them to `.figures`. Nothing here decides what lands.
 */
const { values } = parseArgs({ options: { short: { type: "boolean" }, only: { type: "string" } } });
const directory = join(root, ".figures");
const keptRuns = 10;
const limitSeconds = 3 * 60 * 60;
const { scripts, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
  version: string;
};
const benches = Object.keys(scripts).filter(
  (script) => script.startsWith("bench:") && (values.only?.split(",").includes(script) ?? true),
);

mkdirSync(directory, { recursive: true });
const earlier = readEarlier();
const time = new Date().toISOString();
const scratch = join(directory, "running.jsonl");
const broken: string[] = [];
for (const bench of benches) {
  console.log(`\n── ${bench} ──`);
  const before = readLines(scratch).length;
  const echo = (text: string) => void process.stdout.write(text);
  const words = values.short === true ? ["--short"] : [];
  const env = { [figuresVariable]: scratch };
  await runCommand(["npm", "run", "--silent", bench, "--", ...words], { limitSeconds, echo, env });
  if (readLines(scratch).length === before) broken.push(bench);
}
const figures = readLines<Figure>(scratch);
rmSync(scratch, { force: true });
writeRun();

console.log(`\n${table([["figure", "found", "goal", "", "before"], ...figures.map(rowOf)])}\n`);
for (const bench of broken) console.log(`${bench} broke off: it told no figure`);
const reached = figures.filter(({ reached: isReached }) => isReached).length;
console.log(`figures: ${reached} of ${figures.length} goals reached, in .figures/${fileOf(time)}`);
console.log(`${benches.length - broken.length} passed, ${broken.length} failed`);
process.exitCode = broken.length === 0 && benches.length > 0 ? 0 : 1;

function rowOf({ suite, name, found, goal, atLeast, unit, reached: isReached }: Figure): string[] {
  const same = earlier.flatMap((run) => run.filter((figure) => figure.suite === suite && figure.name === name));
  const usual = same.map((figure) => figure.found).toSorted((a, b) => a - b)[Math.floor(same.length / 2)];
  const worse = usual !== undefined && (atLeast ? found < usual / 1.5 : found > usual * 1.5);
  const words = [isReached ? "reached" : "MISSED", ...(worse ? ["worse by a third"] : [])].join(", ");
  const before = usual === undefined ? "" : `${shown(usual)}${unit}, median of ${same.length}`;
  return [`${suite}: ${name}`, `${shown(found)}${unit}`, `${atLeast ? "≥" : "≤"} ${goal}${unit}`, words, before];
}

function shown(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(2);
}

function readEarlier(): Figure[][] {
  const files = readdirSync(directory).filter((name) => name.endsWith(".json"));
  return files.map(
    (name) => (JSON.parse(readFileSync(join(directory, name), "utf8")) as { figures: Figure[] }).figures,
  );
}

/** The newest ten stay. */
function writeRun(): void {
  const commit = execFileSync("git", ["-C", root, "rev-parse", "HEAD"], { encoding: "utf8" }).trim();
  const machine = { cores: availableParallelism(), node: process.version };
  const run = { time, commit, version, short: values.short === true, machine, figures };
  writeFileSync(join(directory, fileOf(time)), `${JSON.stringify(run, null, 2)}\n`);
  const files = readdirSync(directory)
    .filter((name) => name.endsWith(".json"))
    .toSorted();
  for (const old of files.slice(0, -keptRuns)) rmSync(join(directory, old));
}

function fileOf(when: string): string {
  return `${when.replaceAll(":", "-").slice(0, 19)}.json`;
}
