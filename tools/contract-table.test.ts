import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readText, root } from "./repository.ts";

/** `docs/contract.md` says for every sentence of the contract what holds it. What it says must be true. */
const sections = "0 1 2.1 2.2 2.3 2.4 2.5 3 3.1 3.2 3.3 4 4.1 4.2 4.3 5 5.1 5.2 6 7 8 9 10".split(" ");
const rows = readRows();

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
    testsOf(row)
      .filter(({ file, name }) => !existsSync(join(root, file)) || !readText(file).includes(name))
      .map(({ file, name }) => `${row.id}: ${file} "${name}"`),
  );
  expect(missing).toEqual([]);
  const unnamed = rows.filter((row) => row.how.startsWith("held") && testsOf(row).length === 0);
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

interface Row {
  readonly section: string;
  readonly id: string;
  readonly how: string;
}

function readRows(): Row[] {
  let section = "";
  const found: Row[] = [];
  for (const line of readText("docs/contract.md").split("\n")) {
    section = /^#{2,3} (\d+(?:\.\d+)?) /.exec(line)?.[1] ?? section;
    const cells = /^\| (\d[\w.-]*) \| ([^|]+) \| ([^|]*) ?\|$/.exec(line);
    if (cells !== null) found.push({ section, id: cells[1] ?? "", how: (cells[3] ?? "").trim() });
    // A row that the pattern cannot read would escape every check above.
    else if (/^\| *\d/.test(line)) throw new Error(`docs/contract.md: cannot read the row ${line.slice(0, 60)}`);
  }
  return found;
}

/** What a row quotes: a file in backticks, then the test's name in double quotes. */
function testsOf(row: Row): { file: string; name: string }[] {
  return [...row.how.matchAll(/`([\w./-]+\.test\.ts)` "([^"]+)"/g)].map((match) => ({
    file: match[1] ?? "",
    name: match[2] ?? "",
  }));
}
