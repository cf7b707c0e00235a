import { buildIfOld } from "./build-if-old.ts";
import { projectWords } from "./check-projects.ts";
import { readCheckWords } from "./check-words.ts";
import { runCommand } from "./gate/run-command.ts";
import { seedVariable } from "./test-seed.ts";

/**
 * `npm run check:processes [-- --seed N]`: the tests of `npm run check` that start servers, sandboxes or threads and wait for them. The gate
 * runs them apart from those that only compute. Both forms are one.
 */
const limitSeconds = 1_800;
const { seed } = readCheckWords(process.argv.slice(2));

await buildIfOld();
console.log(`seed ${seed}`);
const { code, timedOut } = await runCommand(["vitest", "run", ...projectWords("check:processes")], {
  limitSeconds,
  env: { [seedVariable]: String(seed) },
  echo: (text) => void process.stdout.write(text),
});
if (timedOut) console.log(`stopped after ${limitSeconds} s\n0 passed, 1 failed`);
process.exitCode = code;
