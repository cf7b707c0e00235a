import { expect, test } from "vitest";
import { linesOfContributed } from "./lines-of-contributed.ts";

test("contract 3.2: only an active enhancement of the map brings lines; a page of a plugin and an unknown key bring none", () => {
  const of = (kind: "nav" | "enhancement", component: string) => ({ plugin: `by-${component}`, kind, component });
  expect(linesOfContributed([])).toEqual([]);
  expect(
    linesOfContributed([
      of("nav", "wireguard.mesh"),
      of("nav", "wireguard.lines"),
      of("enhancement", "acme.lines"),
      of("enhancement", "wireguard.lines"),
    ]),
  ).toEqual(["by-wireguard.lines"]);
});
