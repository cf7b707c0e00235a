import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { capabilityNames, isCapability } from "@gatehouse/contract";
import { planNodes } from "@gatehouse/contract/broker";
import { findCapabilityGaps, readPlanDraft } from "@gatehouse/plan";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { childEnvironment } from "../../../../tests/support/child-environment.ts";
import { runOnWire } from "../wire-cases.ts";
import { scaffold } from "./scaffold.ts";

const yard = mkdtempSync(join(tmpdir(), "gatehouse-scaffold-"));
afterAll(() => rmSync(yard, { recursive: true, force: true }));
const repository = join(import.meta.dirname, "../../../..");
const node = { id: `node_${"0".repeat(26)}`, name: "web-1", tags: [], addresses: [], states: [] };

describe("a new plugin", () => {
  const home = join(yard, "greeter");
  const inHome = (...words: string[]) =>
    execFileSync(process.execPath, words, { cwd: home, env: childEnvironment(), encoding: "utf8", stdio: "pipe" });
  let files: readonly string[] = [];
  beforeAll(async () => {
    files = await scaffold(home, { id: "my-greeter", publisher: "acme" });
    // What `npm install` would bring.
    symlinkSync(join(repository, "node_modules"), join(home, "node_modules"));
  });

  test("has an example, its test, its build and the SDK's core", () => {
    expect(files).toEqual(
      expect.arrayContaining([
        "README.md",
        "build.ts",
        "plugin.json",
        "src/plugin.ts",
        "src/plugin.test.ts",
        "gatehouse/run-plugin.ts",
      ]),
    );
    for (const file of files)
      expect(readFileSync(join(home, file), "utf8")).not.toMatch(/\{\{|@gatehouse\/|\.template\b/);
    const { name, publisher, capabilities } = JSON.parse(
      readFileSync(join(home, "plugin.json"), "utf8"),
    ) as Description;
    expect([name, publisher]).toEqual(["My greeter", "acme"]);
    expect(capabilities.filter((capability) => !isCapability(capability))).toEqual([]);
    expect(planNodes.parse(JSON.parse(readFileSync(join(home, "nodes.json"), "utf8")))).toHaveLength(1);
  });

  test("passes its own test", () => {
    expect(inHome("--test", "src/plugin.test.ts")).toMatch(/pass 3\b/);
  });

  test("is well typed as it is", () => {
    expect(inHome("node_modules/typescript/bin/tsc", "-p", ".")).toBe("");
  });

  test("builds to an artifact that answers, the same bytes every time", async () => {
    const said = inHome("build.ts");
    expect(inHome("build.ts")).toBe(said);
    const artifact = join(home, "dist/artifact");
    const store = new Map<string, string>();
    const input = { greeting: "hello" };
    const planned = await runOnWire([artifact], "plan", { input, nodes: [node], store });
    const draft = readPlanDraft(planned.result);
    if (!draft.ok) throw new Error(draft.reason);
    expect(findCapabilityGaps(draft.value, capabilityNames)).toEqual([]);
    expect((await runOnWire([artifact], "describe", { store })).result).toMatchObject({
      summary: "Nodes in the last plan: 1.",
    });
    expect((await runOnWire([artifact], "plan", { input })).error).toEqual({
      code: 1,
      message: "nodes: expected at least one",
    });
  });
});

test("nothing that is there is written over", async () => {
  const full = join(yard, "full");
  mkdirSync(full);
  writeFileSync(join(full, "README.md"), "mine");
  await expect(scaffold(full, { id: "my-plugin", publisher: "acme" })).rejects.toMatchObject({ code: "cli.exists" });
  expect(readFileSync(join(full, "README.md"), "utf8")).toBe("mine");
});

test.each(["", "A", "../x", 'a","b', "a\nb"])("a name such as %j never reaches a file", async (id) => {
  await expect(scaffold(join(yard, "none"), { id, publisher: "acme" })).rejects.toThrow(RangeError);
  await expect(scaffold(join(yard, "none"), { id: "fine", publisher: id })).rejects.toThrow(RangeError);
});

interface Description {
  readonly name: string;
  readonly publisher: string;
  readonly capabilities: readonly string[];
}
