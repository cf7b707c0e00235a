import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { families } from "../tests/evil-server/rows/families.ts";
import { isScript, tableRows } from "../tests/evil-server/rows/row.ts";
import { editsOf, weaknesses } from "../tests/evil-server/weaknesses.ts";

const root = resolve(import.meta.dirname, "..");
const rows = families.flatMap((family) => family.rows);
const scripts = rows.filter(isScript).map(({ row }) => row);

function textOf(file: string): string {
  return existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : "";
}

test("no row of the table of attacks stands twice, and none that the table has not got", () => {
  const numbers = rows.map(({ row }) => row);
  expect(numbers.filter((row, at) => numbers.indexOf(row) !== at)).toEqual([]);
  expect(numbers.filter((row) => row < 1 || row > tableRows)).toEqual([]);
  expect(scripts.length, "as many at least are tried on real hosts").toBeGreaterThanOrEqual(150);
});

test("every test that a row names stands in the file that it names", () => {
  const named = rows.flatMap((row) => (isScript(row) ? [] : [row]));
  const missing = named.filter(({ by, name, of = name }) => {
    const text = textOf(by);
    return !text.includes(name) || !text.includes(of);
  });
  expect(missing).toEqual([]);
});

test("every check that is taken away stands in its file once, and rows that are scripts have to find it", () => {
  const edits = weaknesses.flatMap(editsOf);
  expect(edits.filter(({ file, old }) => textOf(file).split(old).length !== 2)).toEqual([]);
  expect(weaknesses.filter((weakness) => !weakness.rows.every((row) => scripts.includes(row)))).toEqual([]);
});
