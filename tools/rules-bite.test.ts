import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { childEnvironment } from "../tests/support/child-environment.ts";

/**
 * The import check can be green because the house is in order, or because it looked at nothing. These tests tell the
 * two apart: the planted tree breaks every rule, and its comments say where.
 */
const root = resolve(import.meta.dirname, "..");
const config = join(root, ".dependency-cruiser.cjs");
const rules = (createRequire(import.meta.url)(config) as { forbidden: Rule[] }).forbidden;

let planted: string;
let reported: Cruise;
let real: Cruise;
let expected: readonly string[];

beforeAll(async () => {
  planted = await plantTree();
  [reported, real, expected] = await Promise.all([cruise(planted), cruise(root), plantedBreaks(planted)]);
});

afterAll(() => rm(planted, { recursive: true, force: true }));

test("every planted violation is reported, and no legal import beside it is", () => {
  expect(breaksOf(reported)).toEqual(expected);
});

test("every rule has a planted violation", () => {
  const bitten = new Set(expected.map((line) => line.slice(line.indexOf(": ") + 2)));
  expect(rules.map((rule) => rule.name).filter((name) => !bitten.has(name))).toEqual([]);
});

test("every rule is an error, says why, and has a name of its own", () => {
  expect(rules.filter((rule) => rule.severity !== "error" || !/^[A-Z].{20,}\.$/.test(rule.comment))).toEqual([]);
  expect(new Set(rules.map((rule) => rule.name)).size).toBe(rules.length);
});

test("the real run looks at every source file of the repository", async () => {
  const { stdout } = await promisify(execFile)("git", ["ls-files", "apps", "packages", "tests", "tools"], {
    cwd: root,
  });
  const tracked = stdout
    .split("\n")
    .filter((file) => /\.tsx?$/.test(file) && !/^(tools\/planted|tests\/fixtures)\//.test(file));
  const cruised = new Set(real.modules.map((module) => module.source));
  expect(tracked.length).toBeGreaterThan(0);
  expect(tracked.filter((file) => !cruised.has(file))).toEqual([]);
});

test("the real run follows our packages by name to their sources", () => {
  const faults = real.modules.find((module) => module.source === "packages/contract/src/faults.ts");
  expect(faults?.dependencies.map((dependency) => dependency.resolved)).toContain("packages/base/src/index.ts");
});

interface Rule {
  name: string;
  comment: string;
  severity: string;
}

interface Cruise {
  modules: { source: string; dependencies: { resolved: string }[] }[];
  summary: { violations: { from: string; rule: { name: string } }[] };
}

/** Copies the planted tree to where its packages can be found by name, as npm links a workspace. */
async function plantTree(): Promise<string> {
  const tree = await realpath(await mkdtemp(join(tmpdir(), "gatehouse-planted-")));
  await cp(join(root, "tools/planted"), tree, { recursive: true });
  await mkdir(join(tree, "node_modules/@gatehouse"), { recursive: true });
  for (const name of [
    "approval",
    "base",
    "contract",
    "command-line",
    "keys",
    "channel",
    "files",
    "store",
    "identity",
    "bundle",
    "plan",
    "plugin-sdk",
  ]) {
    await symlink(join(tree, "packages", name), join(tree, "node_modules/@gatehouse", name));
  }
  for (const name of ["fastify", "vitest", "ws", "zod"]) {
    await symlink(join(root, "node_modules", name), join(tree, "node_modules", name));
  }
  return tree;
}

function cruise(directory: string): Promise<Cruise> {
  const depcruise = join(root, "node_modules/.bin/depcruise");
  const args = [depcruise, "--config", config, "--output-type", "json", "."];
  return new Promise((done, failed) => {
    execFile(
      process.execPath,
      args,
      { cwd: directory, env: childEnvironment(), maxBuffer: 64 * 1024 * 1024 },
      (error, stdout) => {
        // The exit code counts violations, so it is not an error here; output that is not JSON is.
        try {
          done(JSON.parse(stdout) as Cruise);
        } catch {
          failed(error ?? new Error("dependency-cruiser printed no JSON"));
        }
      },
    );
  });
}

/** `file: rule`, once for each pair, in order. */
function breaksOf(run: Cruise): string[] {
  return distinct(run.summary.violations.map((violation) => `${violation.from}: ${violation.rule.name}`));
}

/** What the comments `// breaks: rule, rule` of a tree announce, in the same form. */
async function plantedBreaks(tree: string): Promise<string[]> {
  const entries = await readdir(tree, { recursive: true });
  const files = entries.filter((file) => /\.tsx?$/.test(file) && !file.startsWith("node_modules"));
  const breaks = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(tree, file), "utf8");
      const names = [...text.matchAll(/\/\/ breaks: (.+)$/gm)].flatMap((match) => (match[1] ?? "").split(", "));
      return names.map((name) => `${file}: ${name}`);
    }),
  );
  return distinct(breaks.flat());
}

function distinct(lines: readonly string[]): string[] {
  return [...new Set(lines)].sort();
}
