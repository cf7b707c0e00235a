import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { control, edits, withoutEdit } from "../tests/mutants/all-edits.ts";
import { rowOf } from "../tests/mutants/edit.ts";
import { findProblem } from "../tests/mutants/find-problem.ts";
import { isHeld, readContractPage } from "./contract-page.ts";
import { readText, root } from "./repository.ts";

/** `docs/contract.md` says for every sentence of the contract what holds it. What it says must be true. */
const sections = "0 1 2.1 2.2 2.3 2.4 2.5 3 3.1 3.2 3.3 4 4.1 4.2 4.3 5 5.1 5.2 6 7 8 9 10".split(" ");
const rows = readContractPage();

test("every section of the contract is there, in its order", () => {
  expect([...new Set(rows.map((row) => row.section))]).toEqual(sections);
});

test("every row has an id of its own, and a section's ids count up without a gap", () => {
  for (const section of sections) {
    const ids = rows.filter((row) => row.section === section).map((row) => row.id);
    expect(ids).toEqual(ids.map((_, index) => `${section}-${index + 1}`));
  }
  expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
});

test("every row says what holds it, or why nothing does yet", () => {
  const silent = rows.filter((row) => !/^(held: `|(later|open|operator|fact): \S.{7,})/.test(row.how));
  expect(silent.map((row) => `${row.id}: ${row.how}`)).toEqual([]);
});

test("every test that a row names exists", () => {
  const missing = rows.flatMap((row) =>
    row.tests
      .filter(({ file, name }) => !existsSync(join(root, file)) || !readText(file).includes(name))
      .map(({ file, name }) => `${row.id}: ${file} "${name}"`),
  );
  expect(missing).toEqual([]);
  const unnamed = rows.filter((row) => isHeld(row) && row.tests.length === 0);
  expect(unnamed.map((row) => row.id)).toEqual([]);
});

test("every import rule that a row names exists", () => {
  const config = createRequire(import.meta.url)(join(root, ".dependency-cruiser.cjs")) as {
    forbidden: { name: string }[];
  };
  const rules = config.forbidden.map((rule) => rule.name);
  const named = rows.flatMap((row) => [...row.how.matchAll(/import rule `([a-z-]+)`/g)].map((match) => match[1] ?? ""));
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !rules.includes(name))).toEqual([]);
});

test("every held row has an edit that its test must notice, or a reason why there is none", () => {
  const shown = new Set(edits.map(rowOf));
  const held = rows.filter(isHeld).map(({ id }) => id);
  expect(held.filter((id) => !shown.has(id) && !Object.hasOwn(withoutEdit, id))).toEqual([]);
  expect(Object.keys(withoutEdit).filter((id) => shown.has(id) || !held.includes(id))).toEqual([]);
});

test("every edit has an id of its own, applies, and is noticed by a test that its row names", () => {
  expect(new Set(edits.map(({ id }) => id)).size).toBe(edits.length);
  const problems = [...edits, control].map((edit) => [edit.id, findProblem(edit, rows, root)]);
  expect(problems.filter(([, problem]) => problem !== undefined)).toEqual([]);
});
