import { expect, test } from "vitest";
import { pageFiles, pagePathOf } from "./page-files.ts";

test.each(Object.keys(pageFiles).filter((path) => path.startsWith("/") && !path.includes("$")))(
  "the address %s leads to the page of that path",
  (path) => {
    expect(pagePathOf(path)).toBe(path);
  },
);

test.each([
  ["/plugins/", "/plugins"],
  ["/plugins/acme.hello", "/plugins/$id"],
  ["/apps/mesh/peers", "/apps/$"],
  ["/plugins/a/b", "$"],
  ["/nowhere", "$"],
  ["/toString", "$"],
  ["frame", "$"],
])("the address %s leads to the page %s", (address, path) => {
  expect(pagePathOf(address)).toBe(path);
});
