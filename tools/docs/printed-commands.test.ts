import { describe, expect, test } from "vitest";
import { commands } from "../../apps/cli/src/command-table.ts";
import { parseArguments } from "../../packages/command-line/src/index.ts";
import { readText, repositoryFiles } from "../repository.ts";
import { commandsOfPage, commandsOfSource, isComment, type PrintedCommand } from "./printed-commands.ts";

/** What a person reads and types. Tests say other things, and the change log speaks of its time. */
const files = repositoryFiles();
const pages = files.filter((file) => /\.md(?:\.template)?$/.test(file) && file !== "CHANGELOG.md");
const sources = files.filter(
  (file) => /^(?:apps|packages|plugins)\/.*\.tsx?$/.test(file) && !/\.test\.tsx?$|-cases\.ts$|\/test\//.test(file),
);
const printed: PrintedCommand[] = [
  ...pages.flatMap((file) => commandsOfPage(file, filled(readText(file)))),
  ...sources.flatMap((file) => commandsOfSource(file, readText(file))),
];

describe("every command that the product prints", () => {
  test("is found: on pages, in the help, in hints and on the dashboard", () => {
    expect(printed.length).toBeGreaterThan(150);
    for (const place of [
      "README.md",
      "docs/errors.md",
      "apps/cli/src/commands/",
      "packages/contract/",
      "apps/dashboard/",
    ]) {
      expect(
        printed.some(({ at }) => at.startsWith(place)),
        place,
      ).toBe(true);
    }
  });

  test("is one that the command line takes as it is written", () => {
    expect(printed.flatMap(({ at, text }) => faultOf(text).map((fault) => `${at}: ${text}: ${fault}`))).toEqual([]);
  });

  test("is called by the one name: through npm run its output begins with npm's own", () => {
    const texts = [...pages, ...sources].filter((file) => file !== "apps/cli/src/called-as.ts");
    expect(texts.filter((file) => /npm run gatehouse -/.test(shownOf(file)))).toEqual([]);
  });
});

test("every script of npm that a page names exists", () => {
  const { scripts } = JSON.parse(readText("package.json")) as { scripts: Record<string, string> };
  const scaffold = "packages/plugin-sdk/template/package.json.template";
  const { scripts: ofPlugin } = JSON.parse(readText(scaffold)) as { scripts: Record<string, string> };
  const known = new Set([...Object.keys(scripts), ...Object.keys(ofPlugin)]);
  const named = pages.flatMap((file) =>
    [...readText(file).matchAll(/\bnpm run ([a-z0-9:-]+)/g)].map(([, name = ""]) => ({ file, name })),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ name }) => !known.has(name))).toEqual([]);
});

describe("the search", () => {
  const onPage = (page: string) => commandsOfPage("x.md", page).map(({ text }) => text);
  const inSource = (source: string) => commandsOfSource("x.ts", source).map(({ text }) => text);

  test("finds lines of shell and code in sentences, without what is the shell's", () => {
    expect(onPage("```sh\nA=1 gatehouse token list | wc -l   # all\ncd x && gatehouse whoami > me\n```")).toEqual([
      "gatehouse token list",
      "gatehouse whoami",
    ]);
    expect(onPage("Try `gatehouse trust check FILE`, or\n`docker compose exec gatehouse gatehouse whoami`.")).toEqual([
      "gatehouse trust check FILE",
      "gatehouse whoami",
    ]);
    expect(onPage("```text\ngatehouse is a word\n```\nA gatehouse is a house.")).toEqual([]);
  });

  test("finds what a text of a program says, with values put in for what it fills in", () => {
    expect(inSource('todo: "Run `gatehouse login`, or wait.",')).toEqual(["gatehouse login"]);
    expect(inSource("`Check it where you got it: gatehouse plugin verify ${id}; compare it.`,")).toEqual([
      "gatehouse plugin verify VALUE",
    ]);
    expect(inSource("const commands = `gatehouse plugin verify acme-hello")).toEqual([
      "gatehouse plugin verify acme-hello",
    ]);
    expect(inSource('"The session of gatehouse login, or a token. See gatehouse token issue.",')).toEqual([]);
    expect(
      inSource('"See gatehouse user reset-password on the machine; gatehouse plugin check ID judges it at once.",'),
    ).toEqual(["gatehouse plugin check ID"]);
    expect(inSource("run: 'gatehouse audit search --text \"ada curl\" --json' }")).toEqual([
      'gatehouse audit search --text "ada curl" --json',
    ]);
    expect(inSource("// see gatehouse plugin verify --nothing")).toEqual([]);
  });

  test.each([
    ["gatehouse plugin verify acme-hello", "--trust is missing"],
    ["gatehouse token create --name deploy", "there is no command"],
    ["gatehouse login --user ada", "there is no option --user"],
    ["gatehouse plugin", "is no whole command"],
  ])("%s is refused: %s", (line, why) => {
    expect(faultOf(line).join()).toContain(why);
  });
});

/** Why the command line does not take it; none when it does. */
function faultOf(text: string): string[] {
  const words = [...text.matchAll(/"[^"]*"|'[^']*'|\S+/g)]
    .slice(1)
    .map(([word]) => (word === "COMMAND" ? "login" : word.replaceAll(/^["']|["']$/g, "")));
  try {
    const request = parseArguments(commands, words);
    return request.kind === "help" && !request.asked ? ["is no whole command"] : [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function shownOf(file: string): string {
  return readText(file)
    .split("\n")
    .filter((line) => !isComment(line))
    .join("\n");
}

/** A template's page as a reader has it. */
function filled(page: string): string {
  return page.replaceAll(/\{\{\w+\}\}/g, "acme");
}
