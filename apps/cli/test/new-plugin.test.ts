import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { childEnvironment } from "../../../tests/support/child-environment.ts";
import { Program } from "./program.ts";
import { root } from "./real-server.ts";

/**
 * From nothing to a bundle that a trust policy accepts, as an author goes it: with the commands that `gatehouse plugin new`
 * prints, as programs, in a directory outside the repository. Only `npm install` is left out: what it would bring is here.
 */
const home = mkdtempSync(join(tmpdir(), "gatehouse-new-plugin-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const plugin = join(home, "motd");

const environment = childEnvironment({
  PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`,
  HOME: home,
  npm_config_update_notifier: "false",
});

async function start(file: string, words: readonly string[], cwd: string): Promise<string> {
  const { code, out, err } = await new Program(file, words, { cwd, env: environment }).ended;
  if (code !== 0) throw new Error(`${file} ${words.join(" ")} ended with ${code}:\n${out}\n${err}`);
  return out;
}

const patient = join(root, "tests/support/patient-actions.ts");
const gatehouse = (line: string, cwd = plugin) =>
  start(process.execPath, ["--import", patient, join(root, "apps/cli/src/main.ts"), ...line.split(" ")], cwd);
const npm = (line: string) => start("npm", line.split(" "), plugin);

test("a new plugin passes its own test, builds, answers in the sandbox, and becomes an accepted bundle", async () => {
  const made = await gatehouse("plugin new motd --id acme-motd --publisher acme", home);
  expect(made).toMatch(/^Made acme-motd in motd: \d+ files\./);
  symlinkSync(join(root, "node_modules"), join(plugin, "node_modules"));

  expect(await npm("test")).toMatch(/pass 2\b/);
  expect(await npm("run check")).not.toContain("error");
  expect(await npm("run build")).toMatch(/sha256 [0-9a-f]{64}/);

  expect(await gatehouse("plugin try dist/artifact describe")).toContain("Nothing was planned yet.");
  const input = { greeting: "hello", nodes: [{ id: `node_${"0".repeat(26)}`, state: "absent" }] };
  writeFileSync(join(plugin, "input.json"), JSON.stringify(input));
  expect(await gatehouse("plugin try dist/artifact plan --input input.json")).toContain(
    "file.write  file:/etc/motd  6 bytes, 0644 root:root",
  );

  await gatehouse("plugin pack dist/plugin.json dist/artifact --out release");
  const key = JSON.parse(await gatehouse("plugin keygen --out acme.key --publisher acme --no-passphrase --json")) as {
    readonly keyId: string;
    readonly publicKey: string;
  };
  await gatehouse("plugin sign release/acme-motd --key acme.key");
  const { capabilities } = JSON.parse(readFileSync(join(plugin, "plugin.json"), "utf8")) as { capabilities: string[] };
  const publisher = { keys: [{ id: key.keyId, publicKey: key.publicKey }], idPrefixes: ["acme-"], capabilities };
  writeFileSync(join(plugin, "trust.json"), JSON.stringify({ publishers: { acme: publisher } }));
  const verdict = await gatehouse("plugin verify release/acme-motd --trust trust.json");
  expect(verdict).toMatch(/^release\/acme-motd is accepted: acme-motd 0\.1\.0 by acme\./);
  // The bundle is tried as well as the build: its manifest says what it may do.
  expect(await gatehouse("plugin try release/acme-motd/artifact health")).toContain("release/acme-motd/manifest.json");
});
