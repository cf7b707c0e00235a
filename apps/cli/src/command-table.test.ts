import { readFileSync } from "node:fs";
import { join } from "node:path";
import { helpFor, parseArguments } from "@gatehouse/command-line";
import { expect, test } from "vitest";
import { noTerminal } from "../test/no-terminal.ts";
import { commands } from "./command-table.ts";
import { gatehouse } from "./program.ts";

test("every command is a noun with a verb, or a single word, and no two are alike", () => {
  const names = commands.map(({ name }) => name);
  for (const name of names) expect(name).toMatch(/^[a-z]+( [a-z-]+)?$/);
  expect(new Set(names).size).toBe(names.length);
});

test.each(commands.map((command) => [command.name, command] as const))(
  "%s teaches: what, when, how",
  (name, command) => {
    expect(command.summary).toMatch(/^[a-z].*[^.]$/);
    expect(command.about.join(" ").length).toBeGreaterThan(60);
    expect(command.examples.length).toBeGreaterThan(0);
    for (const { run } of command.examples) expect(run).toContain(`gatehouse ${name}`);
    const described = [...Object.values(command.flags), ...Object.values(command.arguments)];
    for (const { about } of described) expect(about).toMatch(/^[A-Z0-9].*\.$/);
  },
);

test("no argument has the name of a flag, and none that may be left out stands before one that may not", () => {
  for (const command of commands) {
    for (const name of Object.keys(command.arguments)) expect(command.flags).not.toHaveProperty(name);
    const marks = Object.values(command.arguments).map(({ optional }) => (optional === true ? "?" : "!"));
    expect(marks.join("")).toMatch(/^!*\?*$/);
  }
});

test("a number below zero is a word of its own, wherever it stands, and no group of options", () => {
  const read = (line: string) => parseArguments(commands, line.split(" "));
  const given = { node: "web-1", latitude: "-33.45", longitude: "-70.67" };
  for (const line of ["-33.45 -70.67 --label x", "--label x -33.45 -70.67", "-33.45 --label x -70.67"]) {
    expect(read(`node place web-1 ${line}`), line).toMatchObject({ kind: "run", given: { ...given, label: "x" } });
  }
  expect(() => read("node place web-1 --label -5")).toThrow("--label needs a value");
  expect(() => read("node show web-1 -5")).toThrow('unexpected argument "-5"');
  expect(() => read("node show web-1 -x5")).toThrow("there is no option -x");
});

test("no command takes a password or a token as an option: other processes could read it", () => {
  const withValue = commands.flatMap(({ flags }) =>
    Object.entries(flags).flatMap(([name, { value }]) => (value === undefined ? [] : [name])),
  );
  expect(withValue.filter((name) => /pass|secret|token/.test(name))).toEqual([]);
});

test("every command that asks a server says which one, and with which credential", () => {
  const online =
    /^(whoami|alert [a-z-]+|token (list|revoke)|user (list|change|remove)|node (list|show|enrolments|tag|rename|place|revoke|remove|watch)|plan (create|list|show|diff|review|withdraw|reject|approve|apply|watch|stop)|artifact (add|list|show|remove)|settings show|audit (search|check)|plugin (list|show|install|activate|disable|ask|check|trust|market))$/;
  for (const command of commands.filter(({ name }) => online.test(name))) {
    const help = helpFor(gatehouse, commands, command.name);
    for (const part of ["GATEHOUSE_TOKEN", "GATEHOUSE_SERVER"]) expect(help).toContain(part);
  }
});

test("the help fits a terminal of 100 columns", () => {
  for (const topic of [
    "",
    "audit",
    "token",
    "user",
    "session",
    "node",
    "alert",
    "plan",
    "settings",
    "plugin",
    "artifact",
    ...commands.map(({ name }) => name),
  ]) {
    for (const line of helpFor(gatehouse, commands, topic).split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  }
});

test("the version is the one in the root package.json", async () => {
  const root = join(import.meta.dirname, "../../..");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const command = commands.find(({ name }) => name === "version");
  expect((await command?.run({}, { environment: {}, terminal: noTerminal }))?.json).toMatchObject({ version });
});
