import type { Chance } from "./chance.ts";
import { joined } from "./joined.ts";

/** Where a path may begin that a careless check takes for harmless. */
const beginnings = joined(
  ["/assets/", "/assets", "/assets..", "/assets/..", "/assets/./", "/assets//", "/assets/x/", "/assets%2f", "/Assets/"],
  ["/", "//", "/.", "/login/", "/login..", "/index.html/", "/theme-init.js/", "/theme-init.js..", "/static/", "/site/"],
  [
    "/api/",
    "/api/..",
    "/api/health/",
    "/api/health/..",
    "/api/version..",
    "/dashboard..",
    "/fonts/",
    "/public/",
    "/x/",
  ],
);
const dots = [
  "..",
  "%2e%2e",
  ".%2e",
  "%2e.",
  "%252e%252e",
  "..;",
  "..%00",
  "...",
  "..%20",
  "%c0%ae%c0%ae",
  "..\u00ff",
  "%u002e%u002e",
];
const separators = ["/", "\\", "%2f", "%5c", "%252f", "//", "/./", "%c0%af", ";/", "%2f/", "\\/"];
const endings = ["", "?", "?x=.css", "#.js", "%00", "%00.js", ";.js", "/", "/.", ".css", "%20", "::$DATA"];

/** Paths that would lead to one of the targets if somebody joined them to a folder. The same seed gives the same ones. */
export function traversals(chance: Chance, most: number, targets: readonly string[]): string[] {
  const paths = new Set<string>();
  while (paths.size < most) {
    const dot = chance.pick(dots);
    const separator = chance.pick(separators);
    const up = Array.from({ length: chance.below(11) }, () => dot + separator).join("");
    const target = chance
      .pick(targets)
      .split("/")
      .join(chance.pick(["/", "/", separator]));
    paths.add(`${chance.pick(beginnings)}${up}${target}${chance.pick(endings)}`);
  }
  return [...paths];
}
