import { readdirSync } from "node:fs";
import { startVitest } from "vitest/node";
import { stopMs } from "../support/stopped.ts";
import { buildIfOld } from "../../tools/build-if-old.ts";
import { classes, fileOf } from "./classes.ts";
import { ClassReporter } from "./class-reporter.ts";
import { readSettings } from "./settings.ts";

/**
 * `npm run security [-- --short] [-- --seed N] [-- --only 8,51] [-- --tree DIRECTORY]`: one test file per class of mistake that peers,
 * or we ourselves, made. `--tree` attacks the programs of another checkout.
 */
const settings = readSettings(process.argv.slice(2));
const problems = compareTableWithFolder();
for (const problem of problems) console.log(`classes.ts: ${problem}`);

const reporter = new ClassReporter(settings.seed, problems);
const chosen = classes.filter(({ number, status }) => {
  return status === "tested" && (settings.only.length === 0 || settings.only.includes(number));
});
await buildIfOld();
const vitest = await startVitest("test", chosen.map(fileOf), {
  config: false,
  root: import.meta.dirname,
  watch: false,
  include: ["*.test.ts"],
  reporters: ["default", reporter],
  // Two, because most of the tests wait for a server. Each keeps what it has loaded: the files import much the same.
  maxWorkers: 2,
  pool: "forks",
  isolate: false,
  testTimeout: testStopMs(settings.short),
  hookTimeout: testStopMs(settings.short),
  // What is looked for until it is so: without this a second decides.
  expect: { poll: { timeout: stopMs } },
  env: {
    SECURITY_SEED: String(settings.seed),
    SECURITY_SHORT: settings.short ? "1" : "",
    ...(settings.tree && { SECURITY_TREE: settings.tree }),
  },
});
await vitest.close();
reporter.conclude();
process.exitCode = reporter.failed === 0 && reporter.passed > 0 ? 0 : 1;

/** Stops a test that hangs: many times what the longest takes, and more than what stops a single wait inside it. */
function testStopMs(short: boolean): number {
  return short ? 600_000 : 3_600_000;
}

/** A class that says it is tested has its file, and a file has its class: neither can be forgotten. */
function compareTableWithFolder(): string[] {
  const files = new Set(readdirSync(import.meta.dirname).filter((name) => name.endsWith(".test.ts")));
  const tested = new Set(classes.filter(({ status }) => status === "tested").map(fileOf));
  const numbers = classes.map(({ number }) => number);
  return [
    ...[...tested].filter((name) => !files.has(name)).map((name) => `${name} does not exist`),
    ...[...files].filter((name) => !tested.has(name)).map((name) => `${name} belongs to no tested class`),
    ...numbers.filter((number, at) => number !== at + 1).map((number) => `class ${number} is not in its place`),
    ...(numbers.length === 107 ? [] : [`expected 107 classes, found ${numbers.length}`]),
  ];
}
