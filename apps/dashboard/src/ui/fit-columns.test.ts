import { expect, test } from "vitest";
import { fitColumns } from "./fit-columns.ts";

const columns = [
  { key: "name", least: 200 },
  { key: "state", least: 250 },
  { key: "sandbox", drop: 2, least: 100 },
  { key: "breaker", drop: 1, least: 100 },
];
const keysAt = (width: number | undefined) => fitColumns(columns, width)?.map(({ key }) => key) ?? null;

test("columns that have room stand beside each other, and all of them before the room is known", () => {
  expect(keysAt(undefined)).toHaveLength(4);
  expect(keysAt(650)).toHaveLength(4);
});

test("with less room those are left out that may be, in their order", () => {
  expect(keysAt(649)).toEqual(["name", "state", "sandbox"]);
  expect(keysAt(549)).toEqual(["name", "state"]);
});

test("without room for the others the rows become a list", () => {
  const wide = [{ least: 300 }, { least: 200 }, { drop: 1 }];
  expect(fitColumns(wide, 500)).toHaveLength(2);
  expect(fitColumns(wide, 499)).toBeNull();
});

test("a phone has a list, also where a narrow table would fit", () => {
  expect(fitColumns([{ least: 100 }], 440)).toHaveLength(1);
  expect(fitColumns([{ least: 100 }], 439)).toBeNull();
});
