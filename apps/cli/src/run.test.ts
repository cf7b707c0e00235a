import { fault } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { noTerminal } from "../test/no-terminal.ts";
import { defineCommand } from "./command.ts";
import { commands } from "./command-table.ts";
import { run } from "./run.ts";

const about = { about: ["Does it."], examples: [{ why: "Do it", run: "gatehouse" }] };
const auditVerify = defineCommand({
  ...about,
  name: "audit verify",
  summary: "check the chain",
  flags: { "data-dir": { value: "DIR", about: "Where." }, deep: { about: "All of it." } },
  run: async (given) => {
    const directory = given["data-dir"] ?? "./data";
    if (directory === "/locked") throw fault("store.locked", "/locked is used by process 7");
    if (directory === "/broken") throw new TypeError("no such thing");
    return { ok: directory !== "/bad", lines: [`verified ${directory}`, "a reason"], json: { directory, ...given } };
  },
});
const stateRecover = defineCommand({
  ...about,
  name: "state recover",
  summary: "repair the state",
  flags: {},
  run: async () => ({ ok: true, lines: ["ok"], json: {} }),
});

const treePlant = defineCommand({
  ...about,
  name: "tree plant",
  summary: "plant a tree",
  arguments: {
    kind: { value: "KIND", about: "Which." },
    place: { value: "PLACE", about: "Where.", optional: true },
  },
  flags: {
    size: { value: "SIZE", about: "How large.", choices: ["small", "large"] },
    fruit: { value: "FRUIT", about: "What it bears.", choices: ["apple", "pear", "plum"], list: true },
    note: { value: "TEXT", about: "What to know.", list: true, whole: true },
    by: { value: "NAME", about: "Who.", required: true },
  },
  run: async ({ kind, place, size, fruit, note, by }) => ({
    ok: true,
    lines: [`${kind}@${place ?? "anywhere"}`],
    notes: [`planted by ${by}`],
    json: { kind, place: place ?? null, size: size ?? null, fruit: [...(fruit ?? [])], note: [...(note ?? [])], by },
  }),
});

async function call(line: string, more: { colour?: boolean; args?: string[] } = {}) {
  const text = { out: "", err: "" };
  const screen = (name: "out" | "err") => ({ write: (part: string) => void (text[name] += part) });
  const streams = { out: screen("out"), err: screen("err"), colour: more.colour ?? false };
  const args = more.args ?? line.split(" ").filter((word) => word !== "");
  const table = [auditVerify, stateRecover, treePlant, ...commands];
  const code = await run({ commands: table, environment: {}, streams, terminal: noTerminal }, args);
  return { code, ...text };
}

test("a command that finds all well prints for people and exits 0", async () => {
  expect(await call("audit verify --data-dir /data")).toEqual({ code: 0, out: "verified /data\na reason\n", err: "" });
});

test("a check that fails exits 1 and still prints what it found", async () => {
  expect(await call("audit verify --data-dir=/bad")).toMatchObject({ code: 1, out: "verified /bad\na reason\n" });
});

test("--json prints one document, wherever it stands", async () => {
  for (const line of ["audit verify --deep --json", "--json audit verify --deep", "audit verify --json --deep"]) {
    const { code, out, err } = await call(line);
    expect({ code, err, ...JSON.parse(out) }).toEqual({ code: 0, err: "", ok: true, directory: "./data", deep: true });
    expect(out.endsWith("}\n")).toBe(true);
  }
});

test("a fault is one line and what to do, exit 1", async () => {
  expect(await call("audit verify --data-dir /locked")).toEqual({
    code: 1,
    out: "",
    err: "gatehouse: store.locked: /locked is used by process 7\n  Stop the other process first; one directory belongs to one process.\n",
  });
});

test("machines get failures as a document too", async () => {
  const { code, out } = await call("audit verify --json --data-dir /locked");
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ ok: false, error: { code: "store.locked" } });
  const usage = await call("audit verfy --json");
  expect(usage.code).toBe(2);
  expect(JSON.parse(usage.out)).toMatchObject({ ok: false, error: { code: "usage" } });
});

test("a defect says that it is one, with the place", async () => {
  const { code, err } = await call("audit verify --data-dir /broken");
  expect(code).toBe(1);
  expect(err).toMatch(/^gatehouse: defect: TypeError: no such thing\n.*run\.test\.ts/);
  expect(err).toContain("please report it");
});

test.each([
  ["audit verfy", 'there is no command "audit verfy"; did you mean audit verify?', "gatehouse audit --help"],
  ["adit verify", 'there is no command "adit"; did you mean audit?', "gatehouse --help"],
  ["moon rise", 'there is no command "moon"', "gatehouse --help"],
  ["audit verify --data-dri /x", "there is no option --data-dri; did you mean --data-dir?", "audit verify --help"],
  ["audit verify --data-dir", "--data-dir needs a value: --data-dir=DIR", "audit verify --help"],
  ["audit verify --data-dir --deep", "--data-dir needs a value: --data-dir=DIR", "audit verify --help"],
  ["audit verify --data-dir=", "--data-dir needs a value: --data-dir=DIR", "audit verify --help"],
  ["audit verify --deep=yes", "--deep takes no value", "audit verify --help"],
  ["audit verify --deep --deep", "--deep is given twice", "audit verify --help"],
  ["audit verify -d", "there is no option -d", "audit verify --help"],
  ["audit verify /data", 'unexpected argument "/data"', "audit verify --help"],
  ["audit verify --deep /data", 'unexpected argument "/data"', "audit verify --help"],
  ["audit verify -- /data", 'unexpected argument "/data"', "audit verify --help"],
  ["--data-dir /x audit verify", "--data-dir needs a command before it", "gatehouse --help"],
  ["audit verify --__proto__=x", "there is no option --__proto__", "audit verify --help"],
])("`gatehouse %s` is refused: %s", async (line, problem, see) => {
  const { code, out, err } = await call(line);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(problem);
  expect(err).toContain(see);
});

test("arguments are words before or between the options, in their order", async () => {
  for (const line of [
    "tree plant oak garden --by ada",
    "tree plant oak --by ada garden",
    "tree plant --by ada oak garden",
    "tree plant --by=ada -- oak garden",
  ]) {
    expect(await call(line)).toEqual({ code: 0, out: "oak@garden\n", err: "planted by ada\n" });
  }
  expect((await call("tree plant oak --by ada")).out).toBe("oak@anywhere\n");
  expect((await call("tree plant --by ada -- --oak")).out).toBe("--oak@anywhere\n");
});

test("what goes beside an answer is on standard error, and not there for machines", async () => {
  expect(await call("tree plant oak --by ada --json")).toMatchObject({ code: 0, err: "" });
});

test("a list is given by repeating the option, or with commas", async () => {
  for (const line of ["--fruit apple,plum", "--fruit apple --fruit plum", "--fruit=apple --fruit=plum"]) {
    const { out } = await call(`tree plant oak --by ada --json ${line}`);
    expect(JSON.parse(out)).toMatchObject({ fruit: ["apple", "plum"] });
  }
});

test("a list of whole values is given by repeating the option, and commas are theirs", async () => {
  const args = ["tree", "plant", "oak", "--by=ada", "--json", "--note", "old, tall", "--note=b,"];
  expect(JSON.parse((await call("", { args })).out)).toMatchObject({ note: ["old, tall", "b,"] });
});

test.each([
  ["tree plant", "--by is missing: --by=NAME"],
  ["tree plant --by ada", "KIND is missing"],
  ["tree plant oak garden gate --by ada", 'unexpected argument "gate"'],
  ["tree plant oak --by ada garden gate", 'unexpected argument "gate"'],
  ["tree plant oak --by ada --by bob", "--by is given twice"],
  ["tree plant oak --by ada --size huge", '--size does not take "huge"; it takes small, large'],
  ["tree plant oak --by ada --size smal", '--size does not take "smal"; did you mean small?'],
  ["tree plant oak --by ada --fruit pear,aple", '--fruit does not take "aple"; did you mean apple?'],
  ["tree plant oak --by ada --fruit pear,", "--fruit has nothing between two commas"],
])("`gatehouse %s` is refused: %s", async (line, problem) => {
  const { code, out, err } = await call(line);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(problem);
  expect(err).toContain("gatehouse tree plant --help");
});

test("an empty word is no argument", async () => {
  expect(await call("", { args: ["tree", "plant", "", "--by", "ada"] })).toMatchObject({
    code: 2,
    err: expect.stringContaining("KIND must not be empty"),
  });
});

test("the help of a command names its arguments, what must be given and what can be chosen", async () => {
  const { out } = await call("tree plant --help");
  expect(out).toContain("Usage: gatehouse tree plant KIND [PLACE] [--size SIZE] [--fruit FRUIT]… [--note TEXT]…");
  expect(out).toContain("Arguments:\n  KIND   Which.\n  PLACE  Where.\n");
  expect(out).toContain("How large. One of: small, large.");
  expect((await call("tree plant one two three --help")).code).toBe(0);
});

test("arguments that begin with @ are data, never files to read", async () => {
  expect((await call("audit verify --data-dir @/etc/passwd")).out).toContain("verified @/etc/passwd");
});

test("help is there at every level, on standard output, exit 0", async () => {
  for (const line of ["--help", "-h", "help"]) {
    expect(await call(line)).toMatchObject({ code: 0, err: "", out: expect.stringContaining("audit verify") });
  }
  for (const line of ["audit --help", "help audit"]) {
    const { code, out } = await call(line);
    expect(code).toBe(0);
    expect(out).toContain("check the chain");
    expect(out).not.toContain("state recover");
  }
  for (const line of [
    "audit verify --help",
    "help audit verify",
    "audit verify --data-dir -h",
    "--help audit verify",
  ]) {
    const { code, out } = await call(line);
    expect(code).toBe(0);
    for (const part of ["check the chain", "Does it.", "--data-dir DIR", "--json", "Examples:"]) {
      expect(out).toContain(part);
    }
  }
});

test("a call without a command gets the help as a correction: standard error, exit 2", async () => {
  for (const line of ["", "audit", "--json"]) {
    const { code, out, err } = await call(line);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("audit verify");
  }
});

test("colours are for terminals, and only ours", async () => {
  expect((await call("state recover")).out).not.toContain("\u001b");
  expect((await call("state recover", { colour: true })).out).toBe("\u001b[32mok\u001b[0m\n");
});

test("what a file or an argument holds cannot drive the terminal", async () => {
  const hostile = "\u001b]52;c;AAAA\u0007\r\n\u009b2J\u2028\u202e";
  for (const colour of [true, false]) {
    for (const args of [
      ["audit", "verify", "--data-dir", hostile],
      ["audit", "verify", "--json", "--data-dir", hostile],
      [hostile],
      ["audit", "verify", `--${hostile}`],
      ["audit", "verify", hostile],
    ]) {
      const { out, err } = await call("", { args, colour });
      const ours = ["\u001b[0m", "\u001b[31m", "\u001b[32m", "\n"];
      const plain = ours.reduce((text, part) => text.replaceAll(part, ""), out + err);
      expect(plain).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202e]/u);
    }
  }
});

test("what comes later is printed when it comes, in JSON as lines of their own, and a failure among it is told", async () => {
  const looking = defineCommand({
    ...about,
    name: "sky watch",
    summary: "look on",
    flags: { storm: { about: "It ends badly." } },
    run: async ({ storm }) => ({
      ok: true,
      lines: ["blue"],
      json: { sky: "blue" },
      later: (async function* () {
        yield { lines: ["grey\u0007"], json: { sky: "grey" } };
        if (storm === true) throw fault("cli.server_unreachable", "it went away");
        yield { lines: ["black"], json: { sky: "black" } };
      })(),
    }),
  });
  const watch = async (...words: string[]) => {
    const said = { out: "", err: "" };
    const screen = (name: "out" | "err") => ({ write: (text: string) => void (said[name] += text) });
    const streams = { out: screen("out"), err: screen("err"), colour: false };
    const deps = { commands: [looking], environment: {}, streams, terminal: noTerminal };
    return { code: await run(deps, ["sky", "watch", ...words]), ...said };
  };
  expect(await watch()).toEqual({ code: 0, out: "blue\ngrey\\u0007\nblack\n", err: "" });
  expect(await watch("--json")).toMatchObject({ out: '{"ok":true,"sky":"blue"}\n{"sky":"grey"}\n{"sky":"black"}\n' });
  expect(await watch("--storm")).toMatchObject({
    code: 1,
    out: "blue\ngrey\\u0007\n",
    err: expect.stringContaining("cli.server_unreachable"),
  });
});
