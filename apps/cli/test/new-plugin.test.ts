import { execFileSync } from "node:child_process";
import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { childEnvironment } from "../../../tests/support/child-environment.ts";
import { isShown, walkOf } from "../../../tests/support/walk/walk-of.ts";
import { Walker } from "../../../tests/support/walk/walker.ts";
import { Program } from "./program.ts";
import { root } from "./real-server.ts";

/**
 * docs/plugins/write.md, typed line by line by somebody who has nothing but a built checkout, from a new plugin to a bundle that a
 * trust policy accepts. Only `npm install` is left out: what it would bring is here.
 */
const place = mkdtempSync(join(tmpdir(), "gatehouse-new-plugin-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const walk = walkOf(readFileSync(join(root, "docs/plugins/write.md"), "utf8"));
const passphrase = "fourteen wooden bridges";

test("whoever follows the page has a plugin that passes its test, builds, answers in the sandbox, and is an accepted bundle", async () => {
  const answers = [
    { question: "assphrase of ../acme.key: ", answer: passphrase },
    { question: "The same again: ", answer: passphrase },
  ];
  // Plugins have the smallest share of a busy machine; what happens at their deadlines is tested elsewhere.
  const patient = { NODE_OPTIONS: `--import=${join(root, "tests/support/patient-actions.ts")}` };
  const env = { npm_config_update_notifier: "false" };
  const reader = new Walker({ place, cwd: root, answers, env });
  const typed: string[] = [];
  let told = "";
  for (const { command, shows } of walk.steps) {
    const line = command.replace(" && npm install ", " ");
    if (line !== command) bringPackages(join(reader.home, "motd"));
    const { code, shown } = await reader.type(command.includes(" try ") ? prefixed(patient, line) : line);
    expect(code, `${line}\n${shown}`).toBe(0);
    for (const expected of shows) expect(isShown(expected, shown), `${line}\n${shown}`).toBe(true);
    if (line.includes("plugin new")) told = shown;
    typed.push(...line.split(" && "));
  }
  // What the command itself tells its reader to type next is what was typed.
  const next = [...told.matchAll(/\b(?:gatehouse|npm) .*$/gm)].flatMap(([line]) => line.trim().split(" && "));
  expect(next.length).toBeGreaterThan(7);
  expect(next.filter((line) => line !== "npm install" && !typed.includes(line))).toEqual([]);
  // So does the README of the new plugin.
  const readme = walkOf(readFileSync(join(reader.home, "motd/README.md"), "utf8")).steps.map(({ command }) => command);
  expect(readme.filter((line) => line !== "npm install" && !typed.includes(line))).toEqual([]);
});

test("a Node that is too old is named, and what to do about it", async () => {
  const check = join(root, "packages/plugin-sdk/template/check-node.js.template");
  const asOld = `Object.defineProperty(process, "versions", { value: { node: "20.20.2" } });\n${readFileSync(check, "utf8")}`;
  const { code, err } = await new Program(process.execPath, ["--input-type=module", "--eval", asOld], {
    cwd: place,
    env: childEnvironment(),
  }).ended;
  expect(code).toBe(1);
  expect(err).toContain("needs Node 24 or newer; this is Node 20.20.2.");
  expect(err).toContain('export PATH="CHECKOUT/node_modules/.bin:$PATH"');
});

test("through npm, a new plugin lies where its author is", () => {
  const here = join(place, "elsewhere");
  mkdirSync(here);
  const words = ["--silent", "--prefix", root, "run", "gatehouse", "--", "plugin", "new", "motd"];
  const env = childEnvironment({ npm_config_update_notifier: "false" });
  const options = { cwd: here, env, encoding: "utf8", stdio: "pipe" } as const;
  const out = execFileSync("npm", [...words, "--id", "acme-motd", "--publisher", "acme"], options);
  expect(out).toMatch(/^Made acme-motd in motd: /);
  expect(readdirSync(here)).toEqual(["motd"]);
});

/** The packages of the checkout, without its programs: they are there only for who puts them in the path. */
function bringPackages(plugin: string): void {
  const [from, to] = [join(root, "node_modules"), join(plugin, "node_modules")];
  mkdirSync(to);
  for (const name of readdirSync(from)) if (name !== ".bin") symlinkSync(join(from, name), join(to, name));
}

function prefixed(variables: Readonly<Record<string, string>>, line: string): string {
  return [...Object.entries(variables).map(([name, value]) => `${name}='${value}'`), line].join(" ");
}
