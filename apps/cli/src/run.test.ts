import { fault } from "@gatehouse/contract";
import { expect, test } from "vitest";
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

async function call(line: string, more: { colour?: boolean; args?: string[] } = {}) {
  const text = { out: "", err: "" };
  const screen = (name: "out" | "err") => ({ write: (part: string) => void (text[name] += part) });
  const streams = { out: screen("out"), err: screen("err"), colour: more.colour ?? false };
  const args = more.args ?? line.split(" ").filter((word) => word !== "");
  const code = await run({ commands: [auditVerify, stateRecover, ...commands], environment: {}, streams }, args);
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
  ["plugin sign", 'there is no command "plugin"', "gatehouse --help"],
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
