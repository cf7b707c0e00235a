import { expect, test } from "vitest";
import { findItems } from "./find-items.ts";

const items = [
  { label: "Lifecycle", hint: "Plugins" },
  { label: "Security", hint: "Settings" },
  { label: "Users", hint: "Settings" },
  { label: "Use the dark theme" },
  { label: "Example firewall", hint: "example-firewall, active" },
];
const found = (typed: string) => findItems(items, typed).map(({ label }) => label);

test("nothing typed finds everything, in its order", () => {
  expect(found(" ")).toEqual(items.map(({ label }) => label));
});

test("a label that begins with the words comes first, a hint last", () => {
  expect(found("use")).toEqual(["Users", "Use the dark theme"]);
  expect(found("the")).toEqual(["Use the dark theme"]);
  expect(found("set")).toEqual(["Security", "Users"]);
});

test("every word must be there, in any case and any order", () => {
  expect(found("FIREWALL exa")).toEqual(["Example firewall"]);
  expect(found("active fire")).toEqual(["Example firewall"]);
  expect(found("users dark")).toEqual([]);
});
