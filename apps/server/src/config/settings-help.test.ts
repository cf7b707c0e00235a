import { settingNames } from "@gatehouse/contract/settings";
import { expect, test } from "vitest";
import { settingsHelp } from "./settings-help.ts";

test("the help names every setting once as a heading", () => {
  const headings = settingsHelp()
    .split("\n")
    .filter((line) => /^ {2}SERVICE_/.test(line));
  expect(headings.map((line) => line.trim())).toEqual([...settingNames]);
});

test("the help fits a terminal of 100 columns", () => {
  for (const line of settingsHelp().split("\n")) expect(line.length).toBeLessThanOrEqual(100);
});

test("the help says what an unset variable means", () => {
  expect(settingsHelp()).toContain("Unset: 127.0.0.1:8088.");
  expect(settingsHelp()).toContain("Unset: no publisher is trusted.");
});
