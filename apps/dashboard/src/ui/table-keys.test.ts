import { describe, expect, it } from "vitest";
import { nextRow, nextSort } from "./table-keys.ts";

describe("the keys of a table", () => {
  it("move one row, a page, or to an end", () => {
    expect(nextRow("ArrowDown", 3, 10, 4)).toBe(4);
    expect(nextRow("j", 3, 10, 4)).toBe(4);
    expect(nextRow("ArrowUp", 3, 10, 4)).toBe(2);
    expect(nextRow("PageDown", 3, 10, 4)).toBe(7);
    expect(nextRow("Home", 3, 10, 4)).toBe(0);
    expect(nextRow("End", 3, 10, 4)).toBe(9);
  });

  it("stop at both ends", () => {
    expect(nextRow("ArrowDown", 9, 10, 4)).toBe(9);
    expect(nextRow("PageUp", 1, 10, 4)).toBe(0);
    expect(nextRow("PageDown", 8, 10, 4)).toBe(9);
  });

  it("enter at the first row when none had the focus", () => {
    expect(nextRow("ArrowDown", -1, 10, 4)).toBe(0);
    expect(nextRow("ArrowUp", -1, 10, 4)).toBe(0);
  });

  it("leave every other key, and every key of an empty table, alone", () => {
    expect(nextRow("a", 0, 10, 4)).toBeNull();
    expect(nextRow("ArrowDown", -1, 0, 4)).toBeNull();
  });
});

describe("a press on a column head", () => {
  it("sorts up, then down, then up again", () => {
    const up = nextSort(undefined, "name");
    expect(up).toEqual({ column: "name", down: false });
    const down = nextSort(up, "name");
    expect(down).toEqual({ column: "name", down: true });
    expect(nextSort(down, "name")).toEqual(up);
  });

  it("starts at up on another column", () => {
    expect(nextSort({ column: "name", down: true }, "state")).toEqual({ column: "state", down: false });
  });
});
