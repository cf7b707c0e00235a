import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freshClone, installLike } from "../support/walk/fresh-clone.ts";
import { sectionOf, walkOf } from "../support/walk/walk-of.ts";
import { Walker } from "../support/walk/walker.ts";
import { counts } from "./support/chance.ts";
import { makeScratch } from "./support/scratch.ts";
import { attacked } from "./support/server.ts";
import { count, tried } from "./support/tried.ts";

/** Whoever cannot install as the page says installs in a way of their own, which nobody has attacked. */
const part = sectionOf(readFileSync(join(attacked, "docs/operate/install.md"), "utf8"), "## Without a container");
const lines = walkOf(part).steps.map(({ command }) => command);
// Commands in a sentence are typed as well.
if (lines.length === 0) lines.push(...[...part.matchAll(/`(npm [^`]+)`/g)].map((match) => match[1] ?? ""));
const [install = "", ...rest] = lines;

test("the page installs with the commands that every gate begins with, in a clean clone", (context) => {
  const gate = readFileSync(join(attacked, ".ci/run"), "utf8").split("\n");
  const begins = gate.map((line) => line.replace(/^patiently /, ""));
  const typed = install.split(" && ");
  expect(typed).toEqual(["npm ci", "npm run build"]);
  expect(begins).toEqual(expect.arrayContaining(typed));
  tried(context, count(typed.length, "commands"));
});

test("whoever types the page's lines into a fresh clone has a server, an account and files that are theirs alone", async (context) => {
  await using scratch = await makeScratch();
  const clone = join(scratch.path, "clone");
  freshClone(attacked, clone);
  // Where packages come from is this machine's business.
  const env = { npm_config_userconfig: join(homedir(), ".npmrc"), npm_config_cache: join(homedir(), ".npm") };
  const reader = new Walker({ place: scratch.path, cwd: clone, env });
  onTestFinished(() => reader.leave());
  if (counts["99 whole installations"] === 0) installLike(attacked, clone);
  else expect(await reader.type(install)).toMatchObject({ code: 0 });
  let shown = "";
  for (const line of rest) {
    if (/\b(?:gatehouse-server|npm start)$/.test(line)) {
      await reader.serve(line);
      continue;
    }
    const ran = await reader.type(line);
    expect(ran, line).toMatchObject({ code: 0 });
    shown += ran.shown;
  }
  expect(shown).toContain('{"status":"ok"}');
  expect(shown).toMatch(/^Signed in as admin \(owner\)/m);
  const data = join(reader.home, "gatehouse-data");
  expect(statSync(data).mode & 0o777).toBe(0o700);
  expect(statSync(join(data, "master.key")).mode & 0o777).toBe(0o600);
  tried(context, count(lines.length, "lines of the page"));
});
