import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { root } from "../repository.ts";
import { bundledOnce } from "./built-once.ts";

/** Words of the gallery's own, which no other page has. */
const own = ["/gallery", "Every part, in every state", "10,000 rows", "Nothing here, or nothing came"];

const built = new Map<string, string>();
beforeAll(async () => {
  for (const [name, bytes] of await bundledOnce()) built.set(name, Buffer.from(bytes).toString("utf8"));
});

const filesWith = (words: string) => [...built].filter(([, text]) => text.includes(words)).map(([name]) => name);

test.each([...own, "GalleryPage"])("nothing of the gallery is in the built site: %s", (words) => {
  expect(filesWith(words)).toEqual([]);
});

test("no built file is named for the gallery, and those of other pages are", () => {
  const names = [...built.keys()].join("\n");
  expect(names).not.toMatch(/gallery/i);
  expect(names).toContain("assets/sign-in-page.js");
});

test("what is looked for stands in the gallery's sources, and words of other pages are found", () => {
  const home = join(root, "apps/dashboard/src");
  const sources = [
    "router",
    "pages/GalleryPage/GalleryPage",
    "pages/GalleryPage/StateParts",
    "pages/GalleryPage/TableParts",
  ]
    .map((name) => readFileSync(join(home, `${name}.tsx`), "utf8"))
    .join("\n");
  for (const words of own) expect(sources).toContain(words);
  expect(filesWith("/marketplace")).not.toEqual([]);
  expect(filesWith("SignInPage")).not.toEqual([]);
});
