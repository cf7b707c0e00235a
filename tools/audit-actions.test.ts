import { auditActionNames } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { readText, repositoryFiles } from "./repository.ts";

/** Programs that write into the audit log; their tests, samples and helpers for tests write what they like. */
const sources = repositoryFiles().filter(
  (file) =>
    /^(apps\/(server|cli)|packages\/(store|identity|bundle|plan))\/src\/.+\.ts$/.test(file) &&
    !/(\.test|-cases|\/sample-[a-z-]+|\/seed[a-z-]*)\.ts$/.test(file),
);

const written = new Set(
  sources.flatMap((file) =>
    readText(file)
      .split("\n")
      .filter((line) => /\baction: /.test(line) && !/\bfor await\b/.test(line))
      .flatMap((line) => [...line.matchAll(/"([a-z]+\.[a-z_]+)"/g)].map(([, action = ""]) => action)),
  ),
);

test("every action that is written into the audit log stands in the contract's list, and no other does", () => {
  expect([...written].sort()).toEqual([...auditActionNames]);
});

test("the list is in the order of its words", () => {
  expect([...auditActionNames].sort()).toEqual([...auditActionNames]);
});
