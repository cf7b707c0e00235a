import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeBundle, placeBundle } from "../bundles/sample.ts";
import { expect, test } from "vitest";
import { childrenOf } from "./support/children-of.ts";
import { makeHostileEnvironment } from "./support/hostile-environment.ts";
import { sharedPlugins } from "./support/plugins.ts";
import { activate, makeTrustingPlace, placeShell } from "./support/shell-plugin.ts";
import { count, tried } from "./support/tried.ts";

/**
 * Teleport: LD_PRELOAD of whoever started the service was in the environment of what the service started. Here the server
 * itself is started in a poisoned environment. It cannot undo what the loader and Node did to it before its first line; what
 * it starts must know nothing of it.
 */

/** The whole environment of a process; the shell adds PWD of its own accord. */
const allowed = { PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8" };

/** In Node, which reads more variables than any shell. A signal in its place says that it was started with options. */
const nodeArtifact = `#!/usr/bin/env node
const told = { environment: process.env, options: process.execArgv };
process.stderr.write(JSON.stringify(told) + "\\n", () => process.exit(3));
`;

async function startPoisoned(before?: string) {
  const place = await makeTrustingPlace();
  const hostile = await makeHostileEnvironment(join(place.path, "hostile"));
  await placeShell(place, "acme-shell", "env -0 >&2; exit 3");
  await placeBundle(place.directory, makeBundle({ id: "acme-node" }, undefined, nodeArtifact));
  const env = { ...hostile.variables, SERVICE_PLUGIN_SANDBOX: "none" };
  const plugins = await sharedPlugins(place, { env, ...(before !== undefined && { before }) });
  return { ...plugins, hostile };
}

const isRoot = canHideBubblewrap();
/** A mount of this server's own, so that the next weaker sandbox is tried as well. */
const withoutBubblewrap = `exec /usr/bin/unshare -m /bin/sh -c 'LD_LIBRARY_PATH= LD_PRELOAD= /bin/mount --bind /bin/false /usr/bin/bwrap && exec "$0" "$@"' "$0" "$@"`;
const [strongest, weaker] = await Promise.all([startPoisoned(), isRoot ? startPoisoned(withoutBubblewrap) : undefined]);

for (const [which, started] of Object.entries({ strongest, weaker })) {
  test.skipIf(started === undefined)(
    `in the ${which} sandbox a plugin knows nothing of the server's environment`,
    async (context) => {
      if (started === undefined) return;
      const { hostile, server } = started;
      await activate(started, "acme-shell", "acme-node");
      const launchers = childrenOf(server.pid);
      expect(launchers).toHaveLength(1);
      const shell = (await stderrOf(started, "acme-shell")).split("\uFFFD").filter((pair) => pair !== "");
      expect(Object.fromEntries(shell.map(splitPair))).toEqual({ ...allowed, HOME: expect.any(String), PWD: "/" });
      const node = JSON.parse(await stderrOf(started, "acme-node")) as { environment: object; options: unknown };
      expect(node).toEqual({ environment: expect.objectContaining(allowed) as object, options: [] });
      // What starts plugins is a process of ours, and knows as little.
      for (const pid of launchers) expect(namesOf(pid)).toEqual(["NODE_CHANNEL_FD", "NODE_CHANNEL_SERIALIZATION_MODE"]);
      const traces = await hostile.traces();
      // The server was poisoned indeed, and nobody after it.
      expect(traces).toContain(`preload-${server.pid}`);
      expect(traces.filter((trace) => !trace.endsWith(`-${server.pid}`))).toEqual([]);
      const level = (await started.find("acme-shell"))?.runtime.sandbox;
      tried(context, `${count(Object.keys(hostile.variables).length, "variables")} in the sandbox "${level}"`);
    },
  );
}

async function stderrOf(plugins: Awaited<ReturnType<typeof startPoisoned>>, id: string): Promise<string> {
  // The action with the longest deadline: a program may start slowly on a busy machine.
  const answer = await plugins.ask(id, "plan", {});
  expect([answer.code, answer.body.detail]).toEqual(["plugin.action_failed", "it ended with 3"]);
  return (await plugins.find(id))?.runtime.lastErrors[0]?.stderr ?? "";
}

function splitPair(pair: string): [string, string] {
  const at = pair.indexOf("=");
  return [pair.slice(0, at), pair.slice(at + 1)];
}

function namesOf(pid: number): string[] {
  const pairs = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  return pairs
    .filter((pair) => pair !== "")
    .map((pair) => splitPair(pair)[0])
    .sort();
}

function canHideBubblewrap(): boolean {
  try {
    execFileSync("/usr/bin/unshare", ["-m", "/bin/sh", "-c", "mount --bind /bin/false /usr/bin/bwrap"], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}
