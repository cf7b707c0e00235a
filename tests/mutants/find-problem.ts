import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ContractRow, isHeld, type NamedTest } from "../../tools/contract-page.ts";
import { type Edit, rowOf } from "./edit.ts";

/** What is wrong with an edit before it is made, or undefined: it must apply, and break a row by a test that the row names. */
export function findProblem(edit: Edit, rows: readonly ContractRow[], root: string): string | undefined {
  const row = rows.find(({ id }) => id === rowOf(edit));
  if (row === undefined) return `docs/contract.md has no row ${rowOf(edit)}`;
  if (!isHeld(row)) return `the row is not held: ${row.how.slice(0, 60)}`;
  if (testsBy(edit, row).length !== 1)
    return `expected one test of the row with "${edit.by}", found ${testsBy(edit, row).length}`;
  if (edit.old === edit.new) return "it changes nothing";
  if (!existsSync(join(root, edit.file))) return `${edit.file} does not exist`;
  const times = readFileSync(join(root, edit.file), "utf8").split(edit.old).length - 1;
  return times === 1 ? undefined : `expected once in ${edit.file}, found ${times} times: ${edit.old}`;
}

/** The test of the edit, for one without a problem. */
export function testOf(edit: Edit, rows: readonly ContractRow[]): NamedTest {
  const [test] = rows.filter(({ id }) => id === rowOf(edit)).flatMap((row) => testsBy(edit, row));
  if (test === undefined) throw new Error(`the edit ${edit.id} has no test`);
  return test;
}

function testsBy(edit: Edit, row: ContractRow): NamedTest[] {
  return row.tests.filter(({ name }) => name.includes(edit.by));
}
