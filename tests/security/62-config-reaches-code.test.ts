import { readdirSync, readFileSync } from "node:fs";
import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeBundle, placeBundle, policyText, keyOf, sha256 } from "../bundles/sample.ts";
import { stopMs } from "../support/stopped.ts";
import { childrenOf } from "./support/children-of.ts";
import { call } from "./support/people.ts";
import { makePluginPlace, sharedPlugins } from "./support/plugins.ts";
import { admin, repository } from "./support/server.ts";
import { activate, placeShell } from "./support/shell-plugin.ts";
import { findInSources, productSources } from "./support/sources.ts";
import { count, tried } from "./support/tried.ts";

/**
 * Vault, Rundeck: a plugin's settings were written where code was read from, or were read by a parser that makes objects.
 * Tested here: nothing in the product turns text into code, the server never writes where bundles lie, and of all that a
 * manifest says nothing reaches the command line or the environment that its plugin is started with.
 */
const makers: readonly RegExp[] = [
  /\beval\s*\(|\bnew Function\b|\bFunction\s*\(\s*["'`]/,
  /from "node:vm"|\brequire\(["'](?:node:)?vm["']\)|\brunInNewContext\b|\bcompileFunction\b/,
  /\bsetTimeout\(\s*["'`]|\bsetInterval\(\s*["'`]/,
  /from "(?:yaml|js-yaml|yamljs|node-serialize|serialize-javascript|ejs|handlebars|pug|lodash\.template|vm2)"/,
  /\bchild_process\b.*\bexec\b|\bexecSync\(|\bshell:\s*true\b/,
  /\bdeserialize\s*\(/,
  /\bimport\(\s*(?!["'`])[^)]/,
  /dangerouslySetInnerHTML|\.innerHTML\s*=|document\.write\(/,
];

test("no line of the server, its packages or its pages turns text into code", (context) => {
  const sources = productSources().filter(({ path }) => /^(apps|packages|plugins)\//.test(path));
  expect(sources.length).toBeGreaterThan(100);
  expect(makers.flatMap((pattern) => findInSources(sources, pattern))).toEqual([]);
  const planted = [
    "eval(manifest.name)",
    "new Function(text)",
    'import { Script } from "node:vm";',
    'import YAML from "yaml";',
    'import { exec } from "node:child_process"; // child_process exec',
    "spawn(program, args, { shell: true })",
    "await import(manifest.entry)",
    "element.innerHTML = title",
    "setTimeout('go()', 5)",
  ];
  for (const text of planted) {
    const found = makers.flatMap((pattern) => findInSources([{ path: "x.ts", text }], pattern));
    expect(found.length, text).toBeGreaterThan(0);
  }
  tried(context, `${count(sources.length, "source files")}, ${count(makers.length, "patterns")}`);
});

test("no package that reads YAML or serialised objects is installed with the product", (context) => {
  const manifests = ["apps", "packages", "plugins"].flatMap((folder) =>
    readdirSync(join(repository, folder)).flatMap((name) => readDependencies(join(repository, folder, name))),
  );
  const bad = manifests.filter((name) => /yaml|serializ|vm2|template|handlebars|ejs|pug|eval/i.test(name));
  expect(manifests.length).toBeGreaterThan(5);
  expect(bad).toEqual([]);
  tried(context, count(new Set(manifests).size, "dependencies"));
});

const place = await makePluginPlace(
  policyText({ acme: { keys: [keyOf("acme")], capabilities: ["kv:read", "kv:write", "log:write"] } }),
);
const nasty = "${process.exit(1)} $(id) `id` <%= 1 %> {{7*7}} !!js/function";
await placeBundle(
  place.directory,
  makeBundle({ id: "acme-code", name: nasty, capabilities: ["kv:read", "kv:write", "log:write"] }),
);
await placeBundle(place.directory, makeBundle({ id: "acme-broken" }, [keyOf("a stranger")]));
const runs = await placeShell(place, "acme-runs", `[ "$1" = describe ] || sleep 60\nexit 3`, {
  name: `-c ${nasty}`,
  version: "7.7.7-nasty.id",
  capabilities: ["log:write"],
  contributions: { nav: [{ component: "acme.page", title: nasty, path: "/apps/acme-runs" }], enhancements: [] },
});
const before = await snapshot(place.directory);
const started = await sharedPlugins(place);

test("the server never writes where bundles lie, whatever is done with them", async (context) => {
  const { port, owner } = started;
  for (const status of ["installed", "active", "disabled", "active", "disabled"] as const)
    await started.move("acme-code", status);
  await started.verify("acme-code");
  await started.verify("acme-broken");
  await started.move("acme-broken", "installed");
  for (const path of ["/api/plugins/contributions", "/api/plugins/trust", "/api/marketplace"]) {
    expect((await call(port, "GET", path, owner)).status, path).toBe(200);
  }
  // No time but the last look at a file has moved, no name was added and none removed.
  expect(await snapshot(place.directory)).toEqual(before);
  expect((await started.find("acme-code"))?.name).toBe(nasty);
  expect(started.server.isAlive()).toBe(true);
  tried(context, `${count(Object.keys(before).length, "entries")} of a plugin directory, the same after 10 requests`);
});

test("nothing of a manifest is in the command line or the environment of what runs, and no shell is on the way", async (context) => {
  await activate(started, "acme-runs");
  const asked = started.ask("acme-runs", "health");
  const isRunning = (all: readonly Running[]) => all.some(({ words }) => words[0] === "sleep");
  let running: Running[] = [];
  for (const end = Date.now() + stopMs; !isRunning(running) && Date.now() < end; await delay(10)) {
    running = descendantsOf(started.server.pid);
  }
  expect(isRunning(running)).toBe(true);
  await started.move("acme-runs", "disabled");
  expect((await asked).code).toBe("plugin.action_failed");
  const { name, id, version, publisher, artifact, capabilities, signatures } = runs.manifest;
  const told = [name, nasty, id, version, publisher, artifact.sha256, ...capabilities, "/apps/acme-runs", "acme.page"];
  const secrets = [...told, ...signatures.map(({ ed25519 }) => ed25519), admin.password, "SERVICE_"];
  for (const { words, environment } of running) {
    const all = [...words, ...environment].join(" ");
    expect(secrets.filter((text) => all.includes(text))).toEqual([]);
    expect(words).not.toContain("-c");
  }
  // The plugin itself: its interpreter, its own file, and one word of ours.
  const [plugin = []] = running.map(({ words }) => words).filter((words) => /(^|\/)sh$/.test(words[0] ?? ""));
  expect(plugin).toHaveLength(3);
  expect(plugin.at(-1)).toBe("health");
  expect(await snapshot(place.directory)).toEqual(before);
  tried(
    context,
    `${count(running.length, "processes")} between the server and the plugin, ${count(secrets.length, "texts")}`,
  );
});

interface Running {
  readonly words: readonly string[];
  readonly environment: readonly string[];
}

function descendantsOf(pid: number): Running[] {
  const read = (child: number, name: string) => {
    try {
      return readFileSync(`/proc/${child}/${name}`, "utf8").split("\0").slice(0, -1);
    } catch {
      // It ended while we looked.
      return [];
    }
  };
  return childrenOf(pid).flatMap((child) => [
    { words: read(child, "cmdline"), environment: read(child, "environ") },
    ...descendantsOf(child),
  ]);
}

/** All that a write would change. */
async function snapshot(directory: string): Promise<Record<string, unknown>> {
  const names = [".", ...(await readdir(directory, { recursive: true })).sort()];
  const found: Record<string, unknown> = {};
  for (const name of names) {
    const { mode, size, mtimeMs, ctimeMs, ino, uid, gid } = await lstat(join(directory, name));
    const isFile = (mode & 0o170000) === 0o100000;
    const digest = isFile ? sha256(await readFile(join(directory, name))) : "";
    found[name] = { mode, size, mtimeMs, ctimeMs, ino, uid, gid, digest };
  }
  return found;
}

function readDependencies(folder: string): string[] {
  try {
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      dependencies?: Record<string, string>;
    };
    return Object.keys(dependencies);
  } catch {
    return [];
  }
}
