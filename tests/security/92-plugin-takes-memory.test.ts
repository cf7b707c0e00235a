import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { makeBundle, placeBundle } from "../bundles/sample.ts";
import { needPackages } from "../lab/lab.ts";
import { compileProbe } from "../sandbox/compile-probe.ts";
import { survivors } from "../sandbox/survivors.ts";
import { until } from "../support/until.ts";
import { call, readAudit } from "./support/people.ts";
import { sharedPlugins } from "./support/plugins.ts";
import { activate, makeTrustingPlace } from "./support/shell-plugin.ts";
import { count, tried } from "./support/tried.ts";

/**
 * Gatehouse 0.1.5: a plugin held memory that left its size, the watch never saw it, and the kernel ended the largest process by
 * size, which was the server. `npm run sandbox` fills a container's memory; here the real server meets each kind.
 */
const id = "acme-hoard";
const place = await makeTrustingPlace();
await needPackages("gcc", "libc6-dev");
const { probe, mark, nap } = await compileProbe(place.path);
await placeBundle(place.directory, makeBundle({ id, capabilities: ["host:file"] }, undefined, await readFile(probe)));
const started = await sharedPlugins(place);
await activate(started, id);

const refused = ["shared-pages", "huge-pages", "record-locks", "landlock-rules", "hide-maps"];
const ended = {
  "takes-tables": /^it held \d+ MiB of memory, and 256 are allowed$/,
  "takes-maps": /^it had more than the 32768 memory maps that are allowed$/,
  "takes-pipes": /^it had \d+ open descriptors in all its processes, and 1024 are allowed$/,
};

async function plan(what: string): Promise<string> {
  const { status, code, body } = await started.ask(id, "plan", what);
  expect([what, status, code]).toEqual([what, 422, "plugin.action_failed"]);
  // A success between failures, so that the breaker stays closed; and the server answers.
  expect((await started.ask(id, "health")).status).toBe(200);
  return body.detail ?? "";
}

test("memory that leaves a process's size is refused, and so is what the kernel keeps without a limit", async (context) => {
  for (const what of refused)
    expect([what, await plan(what)]).toEqual([what, expect.stringMatching(/it answered with an error: denied E/)]);
  tried(context, count(refused.length, "kinds of memory"));
});

test("whoever makes the kernel hold more than its limit is ended, on the record, and the server goes on", async (context) => {
  const said: string[] = [];
  for (const [what, reason] of Object.entries(ended)) {
    said.push(await plan(what));
    expect([what, said.at(-1)]).toEqual([what, expect.stringMatching(reason)]);
  }
  const records = await readAudit(started.port, started.owner.as);
  const reasons = records.flatMap(({ action, detail }) => (action === "plugin.answered" ? [detail["reason"]] : []));
  expect(reasons).toEqual(expect.arrayContaining(said));
  expect(started.server.isAlive()).toBe(true);
  tried(context, count(said.length, "kinds of memory"));
});

test("when memory is short, the kernel ends the plugin before the server", async (context) => {
  const asking = started.ask(id, "plan", "sleeps");
  await until("the plugin runs", () => survivors({ mark, nap }).length > 0);
  const processes = survivors({ mark, nap });
  const scoreOf = (pid: number) => Number(readFileSync(`/proc/${pid}/oom_score_adj`, "latin1"));
  expect(processes.map(scoreOf)).toEqual(processes.map(() => 1_000));
  expect(scoreOf(started.server.pid)).toBeLessThan(1_000);
  const { status } = await call(started.port, "POST", "/api/plugins/lifecycle", {
    as: started.owner.as,
    body: { id, status: "disabled" },
  });
  expect([status, (await asking).code]).toEqual([200, "plugin.action_failed"]);
  tried(context, count(processes.length, "processes"));
});
