import { expect, test } from "vitest";
import { pickArtifact } from "./find-artifact.ts";

const named = (digits: string, name: string, version: string, architecture: "x64" | "arm64" = "x64") => ({
  id: `artifact_${digits.padStart(26, "7")}`,
  name,
  version,
  architecture,
});
const items = [
  named("5d7skrbj", "tool", "1.2.3"),
  named("0000aaaa", "tool", "1.2.4"),
  named("0000bbbb", "proxy", "2.0.0"),
  named("0000cccc", "proxy", "2.0.0", "arm64"),
  named("cadd1234", "caddy", "2.8.4"),
  // A name like the digits of another.
  named("0000dddd", "1234", "1.0.0"),
];
const pick = (text: string, more = false) => pickArtifact({ items, more }, text);

test("an artifact is found by its last digits, by its name, and by name and version", () => {
  expect(pick("skrbj")).toBe(items[0]);
  expect(pick("tool@1.2.4")).toBe(items[1]);
  expect(pick("caddy")).toBe(items[4]);
  expect(pick("cadd1234")).toBe(items[4]);
});

test.each(["tool", "proxy@2.0.0", "1234"])("%s fits several, and names none", (text) => {
  expect(() => pick(text)).toThrowError(expect.objectContaining({ code: "cli.artifact_ambiguous" }));
});

test("where there are more than were seen, nothing is named by less than its id", () => {
  expect(() => pick("caddy", true)).toThrowError(expect.objectContaining({ code: "cli.artifact_ambiguous" }));
});

test.each(["nothing", "tool@9.9.9", "bj", "@1.2.3", ""])("%j is the name of none", (text) => {
  expect(() => pick(text)).toThrowError(expect.objectContaining({ code: "artifact.unknown" }));
});
