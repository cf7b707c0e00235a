import { faults } from "@gatehouse/contract";
import { settingNames, settings } from "@gatehouse/contract/settings";
import { expect, test } from "vitest";
import { readText } from "../repository.ts";
import { markdownTable } from "./markdown.ts";
import { pages } from "./pages.ts";

test.each(Object.entries(pages))("%s is what its table says; if not: node tools/write-docs.ts", (path, make) => {
  expect(readText(path)).toBe(make());
});

test("the settings page has every setting as a heading that can be linked to", () => {
  const headings = [...readText("docs/operate/settings.md").matchAll(/^### (.+)$/gm)].map((match) => match[1]);
  expect(headings).toEqual([...settingNames]);
});

test("the errors page has every code once", () => {
  const codes = [...readText("docs/errors.md").matchAll(/^\| `([a-z._]+)`/gm)].map((match) => match[1] ?? "");
  expect(codes.sort()).toEqual(Object.keys(faults).sort());
});

test("settings without a user yet say so on their page", () => {
  const waiting = settingNames.filter((name) => "usedBy" in settings[name]);
  const notes = [...readText("docs/operate/settings.md").matchAll(/^- In this version: /gm)];
  expect(notes).toHaveLength(waiting.length);
});

test("a bar in a cell does not make a column", () => {
  expect(markdownTable(["a", "b"], [["x|y", "z"]])).toEqual(["| a    | b |", "| ---- | --- |", "| x\\|y | z |"]);
});
