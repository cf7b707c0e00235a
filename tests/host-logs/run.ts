import { runScenarios } from "../support/run-scenarios.ts";
import { figuresScenario } from "./figures.ts";
import { harms } from "./harms.ts";
import { searchScenario } from "./search-lines.ts";

/**
 * `npm run load:logs [-- --short] [-- --seed N] [-- --only search,figures] [-- --lines N]`: lines of host logs through the real telemetry into a
 * real file: every answer is that of a look at every line. In the whole form also what it costs, with so many lines.
 */
const words = process.argv.slice(2);
const at = words.indexOf("--lines");
const lines = at < 0 ? undefined : Number(words[at + 1]);
if (lines !== undefined && !(Number.isSafeInteger(lines) && lines > 0)) {
  throw new Error(`expected a whole number of lines, found "${words[at + 1]}"`);
}
await runScenarios({
  suite: "load:logs",
  scenarios: [searchScenario, figuresScenario(lines)],
  harms: [harms.wrong, harms.lost],
  args: at < 0 ? words : words.toSpliced(at, 2),
});
