import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { makeBundle, placeBundle } from "../bundles/sample.ts";
import { needPackages } from "../lab/lab.ts";
import { compileProbe } from "../sandbox/compile-probe.ts";
import { sharedPlugins } from "./support/plugins.ts";
import { activate, makeTrustingPlace } from "./support/shell-plugin.ts";
import { count, tried } from "./support/tried.ts";

/**
 * Gatehouse 0.1.5: where plugins share the server's processes, one could ask for groups, priorities and processor time of others, and hold up
 * whoever waits for a lock or for the disk. Process 1 is somebody else's on every level; `npm run sandbox` asks about the server itself.
 * What stays is in docs/operate/sandbox.md: whether a path exists, its size and its times.
 */
const id = "acme-looks";
const place = await makeTrustingPlace();
await needPackages("gcc", "libc6-dev");
const { probe } = await compileProbe(place.path);
await placeBundle(place.directory, makeBundle({ id, capabilities: ["host:file"] }, undefined, await readFile(probe)));
const started = await sharedPlugins(place);
await activate(started, id);

const denied = expect.stringMatching(/^it answered with an error: denied E/) as string;

async function outcomeOf(what: string): Promise<string> {
  const { body } = await started.ask(id, "plan", `${what} server=1 `);
  // A success between failures, so that the breaker stays closed.
  expect((await started.ask(id, "health")).status).toBe(200);
  return body.detail ?? "";
}

test("of a process that is not its own, a plugin learns nothing", async (context) => {
  const ways = ["group-of-server", "priority-of-server", "clock-of-server"];
  for (const way of ways) expect([way, await outcomeOf(way)]).toEqual([way, denied]);
  tried(context, count(ways.length, "questions"));
});

test("a file that a plugin can only read it can neither lock nor flush", async (context) => {
  const ways = ["file-lock", "flush-disk"];
  for (const way of ways) expect([way, await outcomeOf(way)]).toEqual([way, denied]);
  tried(context, count(ways.length, "ways"));
});
