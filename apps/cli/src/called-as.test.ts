import { expect, test } from "vitest";
import { asCalled, calledAs } from "./called-as.ts";

const bin = "/srv/gatehouse/node_modules/.bin";

test.each([
  ["by its name", { PATH: `${bin}:/usr/bin` }, `${bin}/gatehouse`, "gatehouse"],
  ["by its path", { PATH: "/usr/bin" }, `${bin}/gatehouse`, `${bin}/gatehouse`],
  ["by npx", { PATH: `${bin}:/usr/bin`, npm_lifecycle_event: "npx" }, `${bin}/gatehouse`, "npx gatehouse"],
  ["by npm run", { npm_lifecycle_event: "gatehouse" }, "/srv/gatehouse/apps/cli/src/main.ts", "npm run gatehouse --"],
  ["by a script of another name", { npm_lifecycle_event: "deploy" }, "/x/apps/cli/src/main.ts", "gatehouse"],
  ["in a test", {}, undefined, "gatehouse"],
])("called %s, hints say the same", (_, environment, file, name) => {
  expect(calledAs({ environment, file })).toBe(name);
});

test("every command of a hint is named as the program was called, and nothing else", () => {
  expect(asCalled("Run `gatehouse login`, or look at gatehouse token issue --help.", "npx gatehouse")).toBe(
    "Run `npx gatehouse login`, or look at npx gatehouse token issue --help.",
  );
  const other = "See /etc/gatehouse and the gatehouse. The answer is not one of Gatehouse.";
  expect(asCalled(other, "npx gatehouse")).toBe(other);
});
