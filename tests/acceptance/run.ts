import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { buildIfOld } from "../../tools/build-if-old.ts";

/**
 * `npm run acceptance [-- --short] [section…]`: the contract, asked of the running server. A section is a number of the
 * contract (`4`, `4.1`) or a word of a file's name (`upgrades`). `--short` is the same: the whole is short. With
 * `--container` the servers are containers of the image that ACCEPTANCE_IMAGE names; with `--only=PATTERN` only those sentences are asked.
 */
const here = import.meta.dirname;
const root = resolve(here, "../..");
const words = process.argv.slice(2);
const image = process.env["ACCEPTANCE_IMAGE"];
if (words.includes("--container") && image === undefined) throw new Error("--container needs ACCEPTANCE_IMAGE");
const only = words.find((word) => word.startsWith("--only="))?.slice("--only=".length);
const wanted = words.filter((word) => !word.startsWith("--"));
const files = chooseFiles(wanted);
const started = performance.now();

await buildIfOld();
const { code, tally } = await runVitest(files);
const seconds = Math.round((performance.now() - started) / 1_000);
const against = process.env["SERVICE_UNDER_TEST"] ?? image ?? "servers of their own";
console.log(`acceptance: ${files.length} files of contract sections against ${against}, in ${seconds} s`);
console.log(tally ?? "0 passed, 1 failed, 0 skipped");
process.exitCode = tally === undefined ? 1 : code;

function chooseFiles(sections: readonly string[]): string[] {
  const all = readdirSync(here).filter((file) => file.endsWith(".test.ts"));
  if (sections.length === 0) return all;
  const chosen = new Set(sections.flatMap((section) => filesOf(section, all)));
  return all.filter((file) => chosen.has(file));
}

/** `4` is every file that begins with 04-, `4.1` the one that begins with 04-1-; `2.5` falls back to all of 2. */
function filesOf(section: string, all: readonly string[]): string[] {
  const [, chapter, part] = /^(\d+)(?:\.(\d+))?$/.exec(section) ?? [];
  const prefix = chapter === undefined ? undefined : `${chapter.padStart(2, "0")}-`;
  const inChapter = all.filter((file) => (prefix === undefined ? file.includes(section) : file.startsWith(prefix)));
  const inPart = part === undefined ? [] : inChapter.filter((file) => file.startsWith(`${prefix}${part}-`));
  const found = inPart.length > 0 ? inPart : inChapter;
  if (found.length === 0) throw new Error(`no file tests ${section}; there are ${all.join(", ")}`);
  return found;
}

/** Shows what vitest says, and keeps its plain line for the end. */
async function runVitest(names: readonly string[]): Promise<{ code: number; tally: string | undefined }> {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const config = join(here, "vitest.config.ts");
  const chosen = only === undefined ? [] : ["--testNamePattern", only];
  const args = ["run", "--config", config, ...chosen, ...names.map((name) => join(here, name))];
  const child = spawn(process.execPath, [vitest, ...args], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  let tally: string | undefined;
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (/^\d+ passed, \d+ failed, \d+ skipped$/.test(line)) tally = line;
    else console.log(line);
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code: code ?? 1, tally };
}
