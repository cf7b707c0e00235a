import { expect, test } from "vitest";
import { entryOf } from "./sample-logs.ts";
import { queryWords, searchableText, words } from "./text.ts";

test("words are runs of letters and digits, in lower case, each once", () => {
  const expected = ["plugin", "installed", "net", "guard", "2", "10", "0", "7"];
  expect(words("Plugin.installed plugin/net-guard_2  10.0.0.7")).toEqual(expected);
  expect(words(" …—! ")).toEqual([]);
});

test("letters of every script make words, with the marks that belong to them", () => {
  expect(words("Zoë,ΟΔΟΣ;हिन्दी/東京 ١٢٣")).toEqual(["zoë", "οδοσ", "हिन्दी", "東京", "١٢٣"]);
  expect(words("cafe\u0301")).toEqual(words("caf\u00e9"));
});

test("the searchable text has the values and none of the keys", () => {
  const detail = { key: ["deep", { deeper: "down" }], count: -1.5, yes: true, nil: null };
  const text = searchableText(entryOf(7, { outcome: "refused", requestId: "req_1", address: "::1", detail }));
  expect(words(text).toSorted()).toEqual(
    ["user", "a", "plugin", "installed", "netguard", "refused", "req", "1", "deep", "down", "5"].toSorted(),
  );
});

test("a very deep detail is no danger to the stack", () => {
  const depth = 50_000;
  const detail = JSON.parse(`{"a":${"[".repeat(depth)}"end"${"]".repeat(depth)}}`);
  expect(words(searchableText(entryOf(1, { detail })))).toContain("end");
});

test("a query drops words that begin other words of it", () => {
  expect(queryWords("net NETGUARD guard")).toEqual(["netguard", "guard"]);
});
