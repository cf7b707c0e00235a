import { expect, test } from "vitest";
import { readText, repositoryFiles } from "./repository.ts";
import { findSharedNames, sharesNames } from "./shared-names.ts";

/** Names that two files may declare, and why. The SDK's are published: plugins of others import them. */
const allowed: Readonly<Record<string, string>> = {
  ActionName: "the contract's, as the SDK writes it without importing anything",
  Broker: "one thing from its two sides: the server's end, and what a plugin holds",
  Json: "base's, as the SDK writes it without importing anything",
  LogWriter: "published by the SDK; the store's stays inside its package",
  MapLine: "the contract's, as the SDK writes it without importing anything; a test compares the two",
  PlanNode: "the contract's, as the SDK writes it without importing anything; a test compares the two",
  PlanQuestion: "the contract's, as the SDK writes it, with an input of the plugin's own; a test compares the two",
  Plugin: "published twice: by the SDK, and by the API's document",
  sandboxLevels: "one list on two sides, and the sandbox loads no routes; the compiler compares them where they meet",
};

const sources = new Map(
  repositoryFiles()
    .filter(sharesNames)
    .map((file) => [file, readText(file)] as const),
);
const shared = findSharedNames(sources);

test("an exported name means one thing: no two production files declare it", () => {
  expect(sources.size).toBeGreaterThan(0);
  const surplus = [...shared].filter(([name]) => !Object.hasOwn(allowed, name));
  expect(surplus.map(([name, files]) => `${name}: ${files.join(", ")}`)).toEqual([]);
});

test("a name that is allowed twice is there twice", () => {
  expect(Object.keys(allowed).filter((name) => !shared.has(name))).toEqual([]);
});

test("a shared name is found whatever it names, with every file that declares it", () => {
  const found = findSharedNames(
    new Map([
      ["a.ts", "export interface Answer {}\nexport async function ask(): Promise<void> {}\nexport const once = 1;"],
      ["b.ts", "export type Answer = string;\nexport async function* ask() {}\nconst once = 1;"],
      [
        "c.ts",
        "export class Answer {}\nexport { ask } from './a.ts';\nexport function over(): void;\nexport function over() {}",
      ],
    ]),
  );
  expect([...found]).toEqual([
    ["Answer", ["a.ts", "b.ts", "c.ts"]],
    ["ask", ["a.ts", "b.ts"]],
  ]);
});

test("what tests share with each other is no production code", () => {
  const files = [
    "packages/store/src/port.ts",
    "packages/store/src/store-cases.ts",
    "packages/store/src/far-store.ts",
    "packages/store/src/audit-index/sample-logs.ts",
    "packages/store/src/vfs/faulty-names.ts",
    "packages/store/src/port.test.ts",
    "apps/server/test/auth-server.ts",
    "apps/dashboard/src/main.tsx",
    "plugins/netguard/src/main.ts",
  ];
  expect(files.filter(sharesNames)).toEqual(["packages/store/src/port.ts"]);
});
