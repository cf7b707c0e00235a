import { readdirSync } from "node:fs";
import { startVitest } from "vitest/node";
import { buildIfOld } from "../../tools/build-if-old.ts";
import { classes, fileOf } from "./classes.ts";
import { ClassReporter } from "./class-reporter.ts";
import { readSettings } from "./settings.ts";

/** `npm run security [-- --short] [-- --seed N] [-- --only 8,51]`: one test file per class of mistake that peers made. */
/** Classes whose tests measure how long something takes. */
const measuring: ReadonlySet<number> = new Set([57, 78, 84, 85, 87, 88]);

const settings = readSettings(process.argv.slice(2));
const problems = compareTableWithFolder();
for (const problem of problems) console.log(`classes.ts: ${problem}`);

const reporter = new ClassReporter(settings.seed, problems.length);
const chosen = classes.filter(({ number, status }) => {
  return status === "tested" && (settings.only.length === 0 || settings.only.includes(number));
});
await buildIfOld();
// Those that measure time have the machine for themselves; the others share two workers, because most of them wait.
await runFiles(chosen.filter(({ number }) => !measuring.has(number)).map(fileOf), 2);
await runFiles(chosen.filter(({ number }) => measuring.has(number)).map(fileOf), 1);
reporter.conclude();
process.exitCode = reporter.failed === 0 && reporter.passed > 0 ? 0 : 1;

async function runFiles(files: readonly string[], workers: number): Promise<void> {
  if (files.length === 0) return;
  const vitest = await startVitest("test", [...files], {
    config: false,
    root: import.meta.dirname,
    watch: false,
    include: ["*.test.ts"],
    reporters: ["default", reporter],
    maxWorkers: workers,
    pool: "forks",
    testTimeout: settings.short ? 180_000 : 900_000,
    hookTimeout: 60_000,
    env: { SECURITY_SEED: String(settings.seed), SECURITY_SHORT: settings.short ? "1" : "" },
  });
  await vitest.close();
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
    ...(numbers.length === 91 ? [] : [`expected 91 classes, found ${numbers.length}`]),
  ];
}
