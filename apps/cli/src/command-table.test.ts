import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commands } from "./command-table.ts";
import { helpFor } from "./help.ts";

test("every command is a noun with a verb, or a single word, and no two are alike", () => {
  const names = commands.map(({ name }) => name);
  for (const name of names) expect(name).toMatch(/^[a-z]+( [a-z]+)?$/);
  expect(new Set(names).size).toBe(names.length);
});

test.each(commands.map((command) => [command.name, command] as const))(
  "%s teaches: what, when, how",
  (name, command) => {
    expect(command.summary).toMatch(/^[a-z].*[^.]$/);
    expect(command.about.join(" ").length).toBeGreaterThan(60);
    expect(command.examples.length).toBeGreaterThan(0);
    for (const { run } of command.examples) expect(run.startsWith(`gatehouse ${name}`)).toBe(true);
    for (const flag of Object.values(command.flags)) expect(flag.about).toMatch(/^[A-Z].*\.$/);
  },
);

test("the help fits a terminal of 100 columns", () => {
  for (const topic of ["", "audit", ...commands.map(({ name }) => name)]) {
    for (const line of helpFor(commands, topic).split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  }
});

test("the version is the one in the root package.json", async () => {
  const root = join(import.meta.dirname, "../../..");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const command = commands.find(({ name }) => name === "version");
  expect((await command?.run({}, { environment: {} }))?.json).toMatchObject({ version });
});
