import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { childEnvironment } from "../tests/support/child-environment.ts";
import { root } from "./repository.ts";

/** Globals and modules of the runtime are no imports of ours, so that the import rules cannot see them: the linter does. */
let tree: string;

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), "gatehouse-agent-lint-"));
  await copyFile(join(root, ".oxlintrc.json"), join(tree, ".oxlintrc.json"));
});

afterAll(() => rm(tree, { recursive: true, force: true }));

test.each([
  ["apps/agent/src/host/spawns.ts", "export const spawned = Bun.spawn([]);", "no-restricted-globals"],
  [
    "apps/agent/src/status/rows.ts",
    'import { Database } from "bun:sqlite";\nexport const rows = Database;',
    "no-restricted-imports",
  ],
  ["apps/agent/src/helper/asks.ts", 'export const asked = () => fetch("http://x");', "no-restricted-globals"],
  ["apps/agent/src/ceiling/opens.ts", 'export const opened = () => new WebSocket("ws://x");', "no-restricted-globals"],
])("%s is refused", async (file, text, rule) => {
  expect(await lint(file, text)).toContain(rule);
});

test("the network part of the agent may open a connection", async () => {
  expect(
    await lint("apps/agent/src/control/opens.ts", 'export const opened = () => new WebSocket("ws://x");'),
  ).not.toContain("no-restricted");
});

async function lint(file: string, text: string): Promise<string> {
  const path = join(tree, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${text}\n`);
  const args = ["-c", ".oxlintrc.json", file];
  return new Promise((done) => {
    // The exit code says that something was found; what was found is the output.
    execFile(join(root, "node_modules/.bin/oxlint"), args, { cwd: tree, env: childEnvironment() }, (_, stdout) =>
      done(stdout),
    );
  });
}
