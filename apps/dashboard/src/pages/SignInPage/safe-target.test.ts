import { expect, test } from "vitest";
import { safeTarget } from "./safe-target.ts";

const origin = "https://gatehouse.example";

test("a path of this page is where one wanted to go", () => {
  for (const path of ["/", "/plugins", "/audit?actor=a#x", "/plugins/acme-hello"]) {
    expect(safeTarget(path, origin)).toBe(path);
  }
});

test("an address elsewhere, a script and what only looks like a path lead to the first page", () => {
  const hostile = [
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "/\t/evil.example",
    " /evil.example",
    "evil",
    "",
    7,
    null,
    undefined,
    ["/"],
  ];
  for (const to of hostile) expect(safeTarget(to, origin), String(to)).toBe("/");
});
