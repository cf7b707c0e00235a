import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { childEnvironment } from "../../tests/support/child-environment.ts";
import { root } from "../repository.ts";
import { bundleCli, cliFileName } from "./bundle-cli.ts";

let directory = "";
let sha256 = "";
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "gatehouse-one-file-"));
  ({ sha256 } = await bundleCli(join(directory, "first")));
});
afterAll(() => rmSync(directory, { recursive: true }));

const file = () => join(directory, "first", cliFileName);

function run(...words: readonly string[]): string {
  const env = childEnvironment({ HOME: directory });
  return execFileSync(process.execPath, [file(), ...words], { cwd: directory, env, encoding: "utf8", stdio: "pipe" });
}

test("the command line is one file that runs anywhere, and says the digest it has", () => {
  expect(createHash("sha256").update(readFileSync(file())).digest("hex")).toBe(sha256);
  expect(run("--version")).toContain(`\nsha256 ${sha256}\n`);
  expect(JSON.parse(run("version", "--json"))).toMatchObject({ sha256 });
  expect(run("plan", "approve", "--help")).toContain("--key FILE");
  expect(statSync(file()).mode & 0o777).toBe(0o755);
});

test("sha256sum takes what stands beside it", () => {
  const options = { cwd: join(directory, "first"), env: childEnvironment(), encoding: "utf8" } as const;
  expect(execFileSync("sha256sum", ["--check", "digest"], options)).toBe(`${cliFileName}: OK\n`);
});

test("the same sources give the same bytes, and no directory of the builder is in them", async () => {
  expect(await bundleCli(join(directory, "second"))).toMatchObject({ sha256 });
  expect(readFileSync(file(), "utf8")).not.toContain(root);
});

test("a command that needs a checkout says so in plain words", () => {
  expect(() => run("audit", "verify", "--data-dir", ".")).toThrow(/cli\.checkout_needed: .*beside it in a checkout/);
});
