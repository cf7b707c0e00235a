import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readText, repositoryFiles, root } from "./repository.ts";

/** Documents rot quietly. What a machine can compare with the code, it compares. */
const documents = repositoryFiles().filter(
  (file) => file.endsWith(".md") && !/^(tools\/planted|tests\/fixtures)\//.test(file),
);
const { scripts } = JSON.parse(readText("package.json")) as { scripts: Record<string, string> };

test("every link between documents leads somewhere", () => {
  const broken = documents.flatMap((document) =>
    linksOf(document)
      .filter((link) => !/^(https?|mailto):/.test(link))
      .filter((link) => !leadsSomewhere(document, link))
      .map((link) => `${document}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test("every command that a document names exists", () => {
  const unknown = documents.flatMap((document) =>
    [...readText(document).matchAll(/npm run ([a-z][a-z0-9:-]*)/g)]
      .map((match) => match[1] ?? "")
      .filter((script) => !(script in scripts))
      .map((script) => `${document}: npm run ${script}`),
  );
  expect(unknown).toEqual([]);
});

test("every path of the repository that a document names exists", () => {
  const missing = documents
    .filter((document) => document !== "CHANGELOG.md")
    .flatMap((document) =>
      [...readText(document).matchAll(/`((?:apps|packages|tests|tools|docs|deploy)\/[\w./-]*[\w/])`/g)]
        .map((match) => match[1] ?? "")
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${document}: ${path}`),
    );
  expect(missing).toEqual([]);
});

test("CONTRIBUTING names every suite", () => {
  const contributing = readText("CONTRIBUTING.md");
  expect(
    Object.keys(scripts).filter(
      (script) => !contributing.includes(`npm run ${script}`) && !["start", "test"].includes(script),
    ),
  ).toEqual([]);
});

function linksOf(document: string): string[] {
  const prose = readText(document).replace(/```[\s\S]*?```/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? "");
}

function leadsSomewhere(document: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? document : join(dirname(document), path);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || anchorsOf(target).includes(anchor);
}

/** Headings as the usual viewers turn them into anchors. */
function anchorsOf(document: string): string[] {
  return [...readText(document).matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] ?? "")
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replace(/ /g, "-"),
  );
}
