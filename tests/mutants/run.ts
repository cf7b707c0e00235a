import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { buildIfOld } from "../../tools/build-if-old.ts";
import { readContractPage } from "../../tools/contract-page.ts";
import { noteResult } from "../../tools/gate/test-results.ts";
import { root } from "../../tools/repository.ts";
import { Random } from "../support/random.ts";
import { inScratch } from "../support/scratch.ts";
import { readSettings } from "../support/suite-settings.ts";
import { control, edits } from "./all-edits.ts";
import type { Edit } from "./edit.ts";
import { findProblem, testOf } from "./find-problem.ts";
import { configOf, runNamed } from "./run-named.ts";
import { copyTree, withEdit } from "./tree-copy.ts";

/**
 * `npm run mutants [-- --short] [-- --only 3.1-3,8-1] [-- --seed N]`: breaks the product once for every sentence of the contract,
 * in a copy, and sees that the test which the sentence's row names fails. The seed orders the edits; with `--short` a few are
 * made, and of the others it is checked that they still apply. Named tests are run unedited first, but not with `--short`: the gate
 * has done so in their own suites.
 */
const settings = readSettings("mutants", process.argv.slice(2));
const rows = readContractPage();
const verdicts: Verdict[] = [];
const started = performance.now();
const made = [...chooseEdits(), control].filter(isToBeMade);
await buildIfOld();
await inScratch(async (scratch) => {
  const trees = ["first", "second"].map((name) => {
    mkdirSync(join(scratch, name));
    return copyTree(join(scratch, name));
  });
  const sound = settings.short ? made : await findSoundEdits(trees);
  const queue = shuffle(sound)[Symbol.iterator]();
  await Promise.all(
    trees.map(async (tree) => {
      for (const edit of queue) await judge(tree, edit);
    }),
  );
});
end();

type Verdict = "killed" | "applies" | "breaks nothing" | "SURVIVED" | "KILLED" | "UNSOUND";

function chooseEdits(): readonly Edit[] {
  const unknown = settings.only.filter((id) => !edits.some((edit) => edit.id === id));
  if (unknown.length > 0) throw new Error(`there is no edit ${unknown.join(", ")}`);
  return edits.filter(({ id }) => settings.only.length === 0 || settings.only.includes(id));
}

/** Those that can be made and shall be; of the others it is told what is known now. */
function isToBeMade(edit: Edit): boolean {
  const problem = findProblem(edit, rows, root);
  if (problem !== undefined) conclude(edit, "UNSOUND", problem);
  else if (settings.short && settings.only.length === 0 && edit !== control && edit.inGate !== true)
    conclude(edit, "applies");
  else return true;
  return false;
}

/** Each named test once as the tree is: one that fails anyway, or does not exist, shows nothing. */
async function findSoundEdits(trees: readonly string[]): Promise<Edit[]> {
  const groups = [...Map.groupBy(made, (edit) => configOf(testOf(edit, rows))).values()];
  const sound = await Promise.all(
    groups.map(async (group, at) => {
      const results = await runNamed(
        trees[at % trees.length] ?? "",
        group.map((edit) => testOf(edit, rows)),
      );
      return group.filter((edit, which) => {
        const { passed = 0, failed = 0, why = "" } = results[which] ?? {};
        if (passed > 0 && failed === 0) return true;
        const { file, name } = testOf(edit, rows);
        conclude(edit, "UNSOUND", `unedited, ${file} "${name}" has ${passed} passed and ${failed} failed. ${why}`);
        return false;
      });
    }),
  );
  return sound.flat();
}

async function judge(tree: string, edit: Edit): Promise<void> {
  const began = performance.now();
  const [result] = await withEdit(tree, edit, () => runNamed(tree, [testOf(edit, rows)]));
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  const { passed = 0, failed = 0, why = "" } = result ?? {};
  const told = `${seconds.padStart(5)} s  ${why.slice(0, 110)}`;
  if (edit === control) conclude(edit, passed > 0 && failed === 0 ? "breaks nothing" : "KILLED", told);
  else conclude(edit, failed > 0 ? "killed" : "SURVIVED", told);
}

function conclude({ id }: Edit, verdict: Verdict, more = ""): void {
  verdicts.push(verdict);
  if (verdict !== "applies") console.log(`${id.padEnd(8)} ${verdict.padEnd(8)} ${more}`);
  noteResult({ name: id, verdict: isGood(verdict) ? "passed" : "failed" });
}

function isGood(verdict: Verdict): boolean {
  return verdict === "killed" || verdict === "applies" || verdict === "breaks nothing";
}

function shuffle(list: readonly Edit[]): Edit[] {
  const random = new Random(settings.seed);
  return list
    .map((edit) => ({ edit, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ edit }) => edit);
}

function end(): void {
  const count = (verdict: Verdict) => verdicts.filter((one) => one === verdict).length;
  const seconds = Math.round((performance.now() - started) / 1_000);
  const applied = count("applies") === 0 ? "" : `, and the other ${count("applies")} apply`;
  const tried = verdicts.length - count("applies") - count("breaks nothing");
  console.log(
    `mutants: ${count("killed")} of ${tried} edits are killed by their row's test${applied} (seed ${settings.seed}) in ${seconds} s`,
  );
  const good = verdicts.filter(isGood).length;
  console.log(`${good} passed, ${verdicts.length - good} failed`);
  process.exitCode = good === verdicts.length && good > 0 ? 0 : 1;
}
