import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import type { NamedTest } from "../../tools/contract-page.ts";
import { childEnvironment } from "../support/child-environment.ts";

/** What a named test came to. A name in a table of cases, or of a group, stands for several tests. */
export interface NamedResult {
  readonly passed: number;
  readonly failed: number;
  /** The first line of the first failure. */
  readonly why: string;
}

/** A run that takes as long for each of its tests hangs: many times what the longest takes. */
const stopMs = 600_000;

let serial = 0;

/** Runs exactly the named tests, in the tree as it is now; all of them belong to one configuration. */
export async function runNamed(tree: string, tests: readonly NamedTest[]): Promise<readonly NamedResult[]> {
  serial += 1;
  const out = join(tree, `results-${serial}.json`);
  const names = [...new Set(tests.map(({ name }) => patternOf(name).source))].join("|");
  const words = [
    "run",
    ...new Set(tests.map(({ file }) => file)),
    `--config=${configOf(tests[0])}`,
    `--testNamePattern=${names}`,
    "--reporter=json",
    `--outputFile=${out}`,
  ];
  const env = childEnvironment({ NODE_COMPILE_CACHE: join(tree, "node_modules/.cache/compiled") });
  const vitest = join(tree, "node_modules/vitest/vitest.mjs");
  const child = spawn(process.execPath, [vitest, ...words], { cwd: tree, env, stdio: "ignore" });
  const timer = setTimeout(() => child.kill("SIGKILL"), stopMs * tests.length);
  await once(child, "close");
  clearTimeout(timer);
  if (!existsSync(out)) return tests.map(() => ({ passed: 0, failed: 0, why: "the run broke off" }));
  const report = JSON.parse(readFileSync(out, "utf8")) as Report;
  rmSync(out);
  return tests.map((test) => resultOf(test, report, tree));
}

/** Tests that can be run together. */
export function configOf(test: NamedTest | undefined): string {
  return test?.file.startsWith("tests/acceptance/") === true ? "tests/acceptance/vitest.config.ts" : "vitest.config.ts";
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

function resultOf({ file, name }: NamedTest, report: Report, tree: string): NamedResult {
  const pattern = patternOf(name);
  const files = report.testResults.filter((one) => relative(tree, one.name) === file);
  const cases = files.flatMap((one) => one.assertionResults).filter(({ fullName }) => pattern.test(fullName));
  const failed = cases.filter(({ status }) => status === "failed");
  const passed = cases.filter(({ status }) => status === "passed").length;
  const said = failed[0]?.failureMessages?.[0] ?? files[0]?.message ?? "";
  return { passed, failed: failed.length, why: said.split("\n")[0] ?? "" };
}

/** The name as it stands in the source; what a table fills in may be anything. */
function patternOf(name: string): RegExp {
  const parts = name.split(/%[sdijo]|\$\{[^}]*\}/).map((part) => RegExp.escape(part));
  return new RegExp(parts.join(".*"));
}
