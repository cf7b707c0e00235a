import { expect, test } from "vitest";
import { licensedParts } from "./licence-texts.ts";

type Dependencies = Readonly<Record<string, string>>;

const own = import.meta.glob<Dependencies>("../../../package.json", { eager: true, import: "devDependencies" });
const installed = import.meta.glob<Dependencies | undefined>("../../../../../node_modules/{*,@*/*}/package.json", {
  import: "dependencies",
});
const isOurs = (name: string) => name.startsWith("@gatehouse/");
const onlyBuilds = (name: string) => name.startsWith("@types/") || name.startsWith("@vitejs/");

/** Every package that the page's own package.json leads to. */
async function findPackages(): Promise<string[]> {
  const found = new Set<string>();
  const open = Object.values(own).flatMap((dependencies) => Object.keys(dependencies));
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name) || isOurs(name) || onlyBuilds(name)) continue;
    found.add(name);
    open.push(...Object.keys((await installed[`../../../../../node_modules/${name}/package.json`]?.()) ?? {}));
  }
  return [...found].sort();
}

test("every package that can be in the page is listed, and no other", async () => {
  const packages = await findPackages();
  expect(packages).toContain("scheduler");
  expect(
    licensedParts
      .slice(2)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(packages);
});

test("every part names its licence, and all but these carry its text", () => {
  for (const { licence } of licensedParts)
    expect(licence).toMatch(/^(MIT|ISC|0BSD|BSD-[23]-Clause|Unlicense|OFL-1\.1|\(MIT OR Apache-2\.0\)|public domain)$/);
  const bare = licensedParts.filter(({ text }) => text === undefined).map(({ name }) => name);
  expect(bare).toEqual(["Natural Earth, the land of the map", "murmurhash-js", "react-remove-scroll-bar"]);
});
